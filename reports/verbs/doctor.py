"""`fedbounds doctor`: what is installed, what is missing and what it would be good for."""

import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, take_flag

if TYPE_CHECKING:
    from reports.documents.types import doctor as types

CORE = (
    "sympy",
    "mpmath",
    "numpy",
    "scipy",
    "threadpoolctl",
    "torch",
    "matplotlib",
    "cyclopts",
    "rich",
    "msgspec",
    "jinja2",
    "latex2mathml",
)
UNREADABLE = "unreadable"
TESTS = ("pytest", "pytest-xdist", "hypothesis", "jsonschema", "mypy", "ruff", "import-linter", "hatchling")
EXTRAS = {
    "data": ("scikit-learn",),
    "frameworks": ("flwr", "opacus", "pfl"),
    "privacy": ("dp-accounting",),
    "fast": ("numba",),
    "tight": ("clarabel",),
    "test": TESTS,
    "bench": ("jax", "PEPit", "cvxpy"),
}
TITLES = {
    "core": "Required packages",
    "data": "Extra data: bundled data sets (pip install 'fedbounds[data]')",
    "frameworks": "Extra frameworks: adapters of conform (pip install 'fedbounds[frameworks]')",
    "privacy": "Extra privacy: accountants (pip install 'fedbounds[privacy]')",
    "fast": "Extra fast: compiled rounds and single-precision normals (pip install 'fedbounds[fast]')",
    "tight": "Extra tight: worst cases (pip install 'fedbounds[tight]')",
    "test": "Extra test: the test suite (pip install 'fedbounds[test]')",
    "bench": "Extra bench: benchmarks (pip install 'fedbounds[bench]')",
}


Tune = Annotated[bool, take_flag("Measure which engine settings (a plan) are fastest here, and record them.")]


def run(
    *,
    tune: Tune = False,
    json: Json = False,
) -> int:
    """Report versions, extras, the device, the engine's settings and the papers found."""
    packages = [_package(name, "core") for name in CORE]
    packages += [_package(name, extra) for extra, names in EXTRAS.items() for name in names]
    missing = [p["name"] for p in packages if p["needed_by"] == "core" and p["version"] is None]
    papers = _papers()
    broken = [paper["key"] for paper in papers if paper["title"] is None]
    plan = _tuned() if tune else _plan()
    body: types.Doctor = {
        "version": _package("fedbounds", "core")["version"],
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": packages,
        "device": _device(),
        "plan": plan,
        "papers": papers,
        "missing": missing,
        "broken": broken,
        "healthy": not (missing or broken or plan["name"] == UNREADABLE),
    }
    terminal.write(json_border.document("doctor", body) if json else str(_page(body)))
    return exits.OK if body["healthy"] else exits.REFUTED


def _plan() -> "types.PlanInUse":
    from synthetic import Plan
    from synthetic.engine.recorded_plan import place, recorded
    from synthetic.errors import Refusal

    settings = asdict(Plan())
    try:
        known = recorded()
    except Refusal as error:
        # this verb reports the problem; the verbs that compute refuse
        return {"name": UNREADABLE, "recorded": None, "settings": settings, "reason": str(error)}
    if known is None:
        reason = "no plan is recorded, so the default is used, with larger blocks on small problems; "
        reason += "`fedbounds doctor --tune` measures and records one"
        return {"name": "default", "recorded": None, "settings": settings, "reason": reason}
    return {"name": "recorded", "recorded": str(place()), "settings": asdict(known)}


def _tuned() -> "types.PlanInUse":
    from synthetic.engine.recorded_plan import check_place, record
    from synthetic.tuning.fastest_plan import by_exponentials, candidates, logistic_work, measured

    check_place()
    seconds = measured(candidates())
    several = min(seconds, key=lambda plan: seconds[plan])
    of_exponentials = measured(by_exponentials(several), logistic_work())
    fastest = min(of_exponentials, key=lambda plan: of_exponentials[plan])
    return {
        "name": "recorded",
        "recorded": str(record(fastest)),
        "settings": asdict(fastest),
        "measured": [
            {"block": plan.block, "threads": plan.threads, "seconds": taken}
            for plan, taken in seconds.items()
        ],
        "exponentials": [
            {"by": plan.exponentials, "seconds": taken} for plan, taken in of_exponentials.items()
        ],
    }


def _package(name: str, needed_by: Any) -> "types.Package":
    from importlib.metadata import PackageNotFoundError, version

    try:
        return {"name": name, "version": version(name), "needed_by": needed_by}
    except PackageNotFoundError:
        return {"name": name, "version": None, "needed_by": needed_by, "reason": "not installed"}


def _device() -> "types.Device":
    """Load torch to see which device it can use."""
    try:
        import torch
    except Exception as error:  # a broken installation fails in many ways; this verb reports it
        return {"name": None, "cuda": False, "reason": f"torch does not load: {error}"}
    if not torch.cuda.is_available():
        return {"name": "cpu", "cuda": False, "threads": torch.get_num_threads()}
    return {"name": torch.cuda.get_device_name(0), "cuda": True, "threads": torch.get_num_threads()}


def _papers() -> "list[types.FoundPaper]":
    """All papers; one that cannot be loaded carries the reason."""
    from bounds.discovery import papers

    return [found for key in papers() if (found := _paper(key)) is not None]


def _paper(key: str) -> "types.FoundPaper | None":
    import bounds
    from bounds.errors import Misuse

    try:
        found = bounds.statements(key)
    except Misuse as error:
        return {"key": key, "title": None, "statements": 0, "reason": str(error)}
    return {"key": key, "title": found[0].paper.title, "statements": len(found)} if found else None


def _describe_plan(page: Page, plan: "types.PlanInUse") -> None:
    settings = ", ".join(f"{name} {value}" for name, value in plan["settings"].items())
    page.paragraph(f"plan: {plan['name']} ({settings}); " + (plan["recorded"] or plan["reason"]))
    page.columns_of(
        (f"{tried['threads']} threads", f"blocks of {tried['block']}", f"{tried['seconds']:.3g} s")
        for tried in plan.get("measured", ())
    )
    page.columns_of(
        (f"exponentials by {tried['by']}", f"{tried['seconds']:.3g} s")
        for tried in plan.get("exponentials", ())
    )


def _page(body: "types.Doctor") -> Page:
    page = Page()
    page.title(f"fedbounds {body['version'] or '(not installed)'}, Python {body['python']}")
    page.paragraph(body["platform"], indent=0)
    for group, title in TITLES.items():
        page.heading(title)
        chosen = [p for p in body["packages"] if p["needed_by"] == group]
        page.columns_of(
            (p["name"], p["version"] or "MISSING" if group == "core" else p["version"] or "absent")
            for p in chosen
        )
    page.heading("Device")
    page.paragraph(
        body["device"].get("reason") or f"{body['device']['name']}, {body['device']['threads']} threads"
    )
    _describe_plan(page, body["plan"])
    page.heading("Papers")
    page.columns_of((p["key"], str(p["statements"]), p["title"] or p["reason"]) for p in body["papers"])
    page.heading("Healthy: nothing required is missing" if body["healthy"] else _ills(body))
    return page


def _ills(body: "types.Doctor") -> str:
    lists = {"Missing": body["missing"], "Papers that cannot be loaded": body["broken"]}
    ills = [f"{what}: {', '.join(names)}" for what, names in lists.items() if names]
    return "; ".join([*ills, *(["The recorded plan cannot be read"] if _has_no_plan(body) else [])])


def _has_no_plan(body: "types.Doctor") -> bool:
    return bool(body["plan"]["name"] == UNREADABLE)
