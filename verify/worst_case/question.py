"""From names and numbers to a setting; what has no worst case is refused by name.

An assumption without which nothing bounds the observable is named before any solver is asked.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bounds.errors import nearest
from verify.worst_case.errors import BadSetting, NoWorstCase
from verify.worst_case.setting import (
    ALL_PAIRS,
    CENTRAL,
    DISTANCE,
    GAP,
    MEAN_GAP,
    MEASURED_ROUNDS,
    OBSERVABLES,
    ProblemClass,
    Setting,
)

# The names that a user gives, by algorithm, and the field of a setting that each one is.
COMMON = {"L": "L", "G": "G", "mu": "mu", "D0": "D0", "f0_gap": "f0_gap"}
OF_CLIENTS = {
    name: name
    for name in ("zeta_star", "Delta_star", "zeta", "xi", "mu_1", "cohort", "sigma", "server_noise")
}
FEDAVG = {
    "n": "clients",
    "E": "local_steps",
    "K": "rounds",
    "local_step": "local_step",
    "server_step": "server_step",
}
NAMES: dict[str, dict[str, str]] = {
    "fedavg": FEDAVG | COMMON | OF_CLIENTS,
    "gradient_descent": {"K": "rounds", "step": "local_step"} | COMMON,
    "stochastic_gradient_descent": {"K": "rounds", "step": "local_step", "sigma": "sigma"} | COMMON,
}
USUAL = {"fedavg": GAP, "gradient_descent": GAP, "stochastic_gradient_descent": DISTANCE}
COUNTS = ("clients", "local_steps", "rounds", "cohort")
POSITIVE = ("local_step", "server_step", "L", "G", "mu", "D0", "f0_gap", "mu_1")
LARGEST = 10**100  # a number, and its reciprocal: floats have room for their products
LARGEST_RUN = 200  # gradients of one client
LARGEST_QUADRATIC_RUN = 60  # of quadratic clients step by step: the program then takes a minute

CLIPS = (
    "it clips: min(1, C/||u||) divides by a norm, and a Gram matrix holds inner products, in which a norm is "
    "no linear form; where nothing is clipped its updates are those of fedavg, which has a program"
)
NORMALIZES = "it divides by a norm, and a Gram matrix holds inner products, in which a norm is no linear form"
REFUSED = {
    "als_dpfl": CLIPS,
    "dp_fedavg": CLIPS,
    "dpfl": CLIPS,
    "alpha_norm_ec": NORMALIZES,
    "dp_norm_fedavg": NORMALIZES,
    "fed_alpha_norm_ec": (
        f"{NORMALIZES}; its local steps alone, as full gradients, are those of fedavg with K = 1"
    ),
    "memory_update": (
        f"{NORMALIZES}; `fedbounds prove fed_norm_ec.lemma_1 --variant amended` bounds "
        "the error that an update leaves in the memory"
    ),
    "smoothed_dp_fedavg": NORMALIZES,
}


def refuse_algorithm(name: str) -> None:
    """Raise if an algorithm has no Gram form, or is unknown."""
    if name in REFUSED:
        raise NoWorstCase(f"{name} has no worst-case program: {REFUSED[name]}")
    if name not in NAMES:
        raise BadSetting(f"no worst-case program is named {name}: {nearest(name, [*NAMES, *REFUSED])}")


def setting_of(
    algorithm: str,
    given: Mapping[str, Fraction],
    *,
    observable: str | None,
    convex: bool,
    quadratic: bool = False,
) -> Setting:
    """The setting that the names of an algorithm describe."""
    refuse_algorithm(algorithm)
    names = NAMES[algorithm]
    for name in given:
        if name not in names:
            raise BadSetting(f"{algorithm} has no setting {name}: {nearest(name, names)}")
    fields: dict[str, Any] = {names[name]: value for name, value in given.items()}
    called = {field: name for name, field in names.items()}
    fields = (
        {"clients": Fraction(1), "local_steps": Fraction(1)} | fields if algorithm != "fedavg" else fields
    )
    missing = [called[f] for f in ("clients", "local_steps", "rounds", "local_step") if f not in fields]
    if missing:
        raise BadSetting(f"{algorithm} needs a value for {', '.join(missing)}")
    return complete(fields, called, observable or USUAL[algorithm], convex=convex, quadratic=quadratic)


def complete(
    fields: Mapping[str, Fraction],
    called: Mapping[str, str],
    observable: str,
    *,
    convex: bool,
    quadratic: bool = False,
) -> Setting:
    """The setting with these fields, if its worst case is bounded; `called` names them to the user."""
    if observable not in OBSERVABLES:
        raise BadSetting(f"no observable is named {observable}: {nearest(observable, OBSERVABLES)}")
    if quadratic:
        _check_quadratic(fields, convex=convex)
    described = class_fields(fields, called, convex=convex)
    setting = Setting(**described, quadratic=quadratic, observable=observable)
    _check_together(setting, convex=convex)
    check_class(setting, convex=convex, strong="mu" in fields)
    _check_bounded(setting)
    return setting


def class_fields(
    fields: Mapping[str, Fraction], called: Mapping[str, str], *, convex: bool
) -> dict[str, Any]:
    """The fields of a setting, each checked by itself, with the curvature in place of mu."""
    for field, value in fields.items():
        _check(called.get(field, field), field, value)
    if "L" not in fields and "G" not in fields:
        raise NoWorstCase(
            f"without a bound on smoothness ({called.get('L', 'L')}) or on gradients (G) one step can lead "
            "arbitrarily far"
        )
    if "G" in fields:
        _check_lipschitz(fields, convex=convex)
    described: dict[str, Any] = {f: int(v) if f in COUNTS else v for f, v in fields.items() if f != "mu"}
    return described | {"curvature": fields.get("mu", Fraction(0)) if convex else -fields["L"]}


def _check(name: str, field: str, value: Fraction) -> None:
    if field in COUNTS:
        least = 0 if field == "rounds" else 1
        if value.denominator != 1 or value < least:
            raise BadSetting(f"{name} must be a whole number >= {least}, not {value}")
    elif value < 0 or (field in POSITIVE and value == 0):
        raise BadSetting(f"{name} must be {'> 0' if field in POSITIVE else '>= 0'}, not {value}")
    elif value and not Fraction(1, LARGEST) <= value <= LARGEST:
        raise BadSetting(f"{name} must be {'' if field in POSITIVE else '0, or '}between 1e-100 and 1e100")


def _check_quadratic(fields: Mapping[str, Fraction], *, convex: bool) -> None:
    if "L" not in fields or not convex:
        raise BadSetting("quadratic clients are convex and L-smooth: give L, and leave out G and --nonconvex")
    if "Delta_star" in fields:
        raise NoWorstCase(
            "the minimizers of quadratic clients are no points of the program: in place of Delta_star limit "
            "their gradients by zeta_star, zeta or xi"
        )


def _check_lipschitz(fields: Mapping[str, Fraction], *, convex: bool) -> None:
    if "L" in fields or "mu" in fields or not convex:
        raise BadSetting("G is for convex clients that need not be smooth; leave out L, mu and --nonconvex")
    if "D0" not in fields:
        raise NoWorstCase(
            "for clients with bounded gradients (G) the start is bounded by D0, which is missing"
        )
    if any(name in fields for name in ("cohort", "sigma", "server_noise")):
        raise NoWorstCase("drawn clients and noise are followed for smooth clients only: give L instead of G")


def _check_together(setting: Setting, *, convex: bool) -> None:
    largest = LARGEST_QUADRATIC_RUN if setting.quadratic and not setting.is_spectral else LARGEST_RUN
    from_distance = f", or {LARGEST_RUN} in at most {MEASURED_ROUNDS} rounds from D0" * setting.quadratic
    if setting.rounds * setting.local_steps > largest:
        raise BadSetting(
            f"{setting.rounds} rounds times {setting.local_steps} local steps are too long a run for a worst "
            f"case; the largest product is {largest}{from_distance}"
        )
    if setting.cohort is not None and setting.cohort > setting.clients:
        raise BadSetting(f"cohort must be at most n = {setting.clients}, not {setting.cohort}")
    if convex and setting.mu_1 is not None:
        raise BadSetting("mu_1 is for the class without convexity; on convex clients give mu")
    if not convex and setting.Delta_star is not None:
        raise BadSetting("Delta_star is measured at x*, and without convexity no x* is assumed")
    if setting.observable == CENTRAL and (setting.rounds != 1 or setting.is_random or setting.quadratic):
        raise BadSetting(f"{CENTRAL} is that of one round (K=1), without noise and on any smooth clients")
    if setting.observable == MEAN_GAP and setting.rounds == 0:
        raise BadSetting("mean_gap is the mean over the rounds, and there is none")


def check_class(setting: ProblemClass, *, convex: bool, strong: bool) -> None:
    """Refuse contradictions, and name the assumption without which the observable has no bound."""
    if setting.D0 is not None and setting.f0_gap is not None:
        raise BadSetting("D0 and f0_gap are both given; keep one")
    if strong and not convex:
        raise BadSetting("mu is given, but the class is not convex; leave one out")
    if setting.L is not None and setting.curvature >= setting.L:
        raise BadSetting(
            f"mu must be below L = {setting.L}, not {setting.curvature}: with mu = L one function is left"
        )
    if not convex and setting.zeta_star is not None:
        raise BadSetting("zeta_star is measured at x*, and without convexity no x* is assumed")
    if not setting.has_minimizer and setting.f0_gap is None:
        raise NoWorstCase("without convexity the start is bounded by f0_gap, and it is not given")
    if setting.D0 is None and setting.f0_gap is None:
        raise NoWorstCase(
            "without a bound on the start (D0 or f0_gap) the run can begin arbitrarily far away"
        )
    if setting.observable == DISTANCE and not setting.has_minimizer:
        raise NoWorstCase("without convexity no x* is assumed to which a distance could be measured")
    if setting.observable == DISTANCE and setting.D0 is None and setting.curvature == 0:
        raise NoWorstCase("without D0 or strong convexity (mu) a small gap can be arbitrarily far from x*")


def _check_bounded(setting: Setting) -> None:
    """Name the assumption on noise or heterogeneity without which the observable has no bound."""
    several, moved = setting.clients > 1, setting.rounds > 0
    if setting.is_random and not setting.follows_moments and setting.D0 is None:
        raise NoWorstCase("a random round is followed from a bounded distance: give D0 instead of f0_gap")
    if setting.follows_moments and not setting.has_all_pairs:
        raise NoWorstCase(
            f"noise inside several local steps, and a value after noise, are followed over {ALL_PAIRS} local "
            f"steps at most; {DISTANCE} with E = 1 is followed round by round"
        )
    unlike = any(v is not None for v in (setting.zeta_star, setting.Delta_star, setting.zeta, setting.xi))
    apart = setting.local_steps > 1 or (setting.cohort or setting.clients) < setting.clients
    unlike = unlike or setting.G is not None  # bounded gradients bound their spread
    if several and moved and apart and setting.has_minimizer and not unlike:
        raise NoWorstCase(
            "without a bound on heterogeneity (zeta_star, Delta_star, zeta or xi) the clients can pull the "
            "state arbitrarily far from x*"
        )
