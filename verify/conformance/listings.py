"""The listings that code can be compared with.

A listing's name is the algorithm's name in `synthetic`; `stochastic_fedavg` is `fedavg` with an oracle there.
"""

from typing import Any

import bounds
from bounds.installed_papers import own
from synthetic.errors import UnknownAlgorithm, nearest
from verify.conformance.listing import Line, Listing, Part, Point
from verify.conformance.replay.family import Family
from verify.conformance.replay.feedback_family import FED_ALPHA_NORM_EC
from verify.conformance.replay.noisy_families import ALS_DPFL, DPFL


def _private_lines(locator: str, bounded: str) -> tuple[Line, ...]:
    texts = (
        (Part.SAMPLING, "3", "each client takes part with probability r/n, independently"),
        (Part.LOCAL_START, "5", "w_{k,0} = w_k"),
        (Part.LOCAL_COUNT, "6", "E local steps"),
        (Part.LOCAL_STEP, "7", "w_{k,t+1} = w_{k,t} - eta grad f_i(w_{k,t})"),
        (Part.UPDATE, "9.u", "u = (w_k - w_{k,E})/eta"),
        (Part.BOUNDING, "9.g", bounded),
        (Part.NOISE, "10", "noise N(0, r sigma^2 I) of each client"),
        (Part.AVERAGE, "12.a", "a = (1/r) times the sum of what was sent"),
        (Part.SERVER_STEP, "12.w", "w_{k+1} = w_k - beta a"),
        (Part.OUTPUT, "13", "return the state of a uniformly random round"),
    )
    return tuple(Line(part=part, locator=f"{locator}.{line}", text=text) for part, line, text in texts)


def _common(at: Point) -> dict[str, Any]:
    return {"local_steps": at.E, "local_step": at.eta, "server_step": at.beta, "clients_per_round": at.r}


DP_FEDAVG = Listing(
    algorithm="dp_fedavg",
    lines=_private_lines("B.alg1", "g = u min(1, C/norm(u))"),
    law="independent",
    bounding="clip",
    settings=lambda at: _common(at) | {"clip_threshold": at.C, "noise_scale": at.sigma},
    update=lambda at: 1.0,
    server=lambda at: at.beta,
    deviation=lambda at: at.sigma,
)
DP_NORM_FEDAVG = Listing(
    algorithm="dp_norm_fedavg",
    lines=_private_lines("B.alg2", "g = C u/norm(u)"),
    law="independent",
    bounding="normalize",
    settings=lambda at: _common(at) | {"update_length": at.C, "noise_scale": at.sigma},
    update=lambda at: 1.0,
    server=lambda at: at.beta,
    deviation=lambda at: at.sigma,
    unseen=(Part.OUTPUT, Part.UPDATE),
)
FEDAVG = Listing(
    algorithm="fedavg",
    lines=(
        Line(part=Part.SAMPLING, locator="B.alg3.3", text="r of the n clients, uniformly at random"),
        Line(part=Part.LOCAL_START, locator="B.alg3.5", text="w_{k,0} = w_k"),
        Line(part=Part.LOCAL_COUNT, locator="B.alg3.6", text="E local steps"),
        Line(
            part=Part.LOCAL_STEP,
            locator="B.alg3.7",
            text="w_{k,t+1} = w_{k,t} - eta grad f_i(w_{k,t})",
        ),
        Line(part=Part.UPDATE, locator="B.alg3.9", text="send w_k - w_{k,E}"),
        Line(part=Part.AVERAGE, locator="B.alg3.11", text="w_{k+1} = w_k - (1/r) times the sum"),
    ),
    law="fixed size",
    bounding="none",
    settings=lambda at: _common(at) | {"server_step": 1.0},
    update=lambda at: at.eta,
    server=lambda at: 1.0,
    optional=("server_step",),
)
STOCHASTIC_FEDAVG = Listing(
    algorithm="stochastic_fedavg",
    lines=(
        Line(part=Part.SAMPLING, locator="D.alg.2", text="every client takes part"),
        Line(part=Part.LOCAL_START, locator="D.alg.3", text="theta_{r,0} = theta_r"),
        Line(part=Part.LOCAL_COUNT, locator="D.alg.4", text="H local steps"),
        Line(
            part=Part.NOISE,
            locator="D.alg.5",
            text="a sample for each local step of each client: noise of mean 0 and total variance sigma^2",
        ),
        Line(
            part=Part.LOCAL_STEP,
            locator="D.alg.6",
            text="theta_{r,h+1} = theta_{r,h} - eta (grad f_c(theta_{r,h}) + noise)",
        ),
        Line(part=Part.UPDATE, locator="D.alg.7", text="send theta_{r,H}"),
        Line(part=Part.AVERAGE, locator="D.alg.8", text="theta_{r+1} = (1/M) times the sum"),
        Line(part=Part.OUTPUT, locator="D.alg.9", text="return the last state"),
    ),
    law="full",
    bounding="none",
    settings=lambda at: _common(at) | {"server_step": 1.0, "noise_scale": at.sigma},
    update=lambda at: at.eta,
    server=lambda at: 1.0,
    deviation=lambda at: at.eta * at.sigma * (at.E / (at.n * at.d)) ** 0.5,
    gaussian=False,
    optional=("server_step", "clients_per_round"),
    statements=("fedavg", "fedavg_lojasiewicz"),
)
GRADIENT_DESCENT = Listing(
    algorithm="gradient_descent",
    lines=(
        Line(part=Part.SERVER_STEP, locator="T.gd", text="x_{k+1} = x_k - step grad f(x_k)"),
        Line(part=Part.AVERAGE, locator="T.gd.f", text="f is the mean of the clients"),
    ),
    law="full",
    bounding="none",
    settings=lambda at: {"step": at.beta},
    update=lambda at: 1.0,
    server=lambda at: at.beta,
    several_steps=False,
)
STOCHASTIC_GRADIENT_DESCENT = Listing(
    algorithm="stochastic_gradient_descent",
    lines=(
        Line(part=Part.SERVER_STEP, locator="T.sgd", text="x_{k+1} = x_k - step (grad f(x_k) + noise)"),
        Line(part=Part.AVERAGE, locator="T.sgd.f", text="f is the mean of the clients"),
        Line(part=Part.NOISE, locator="T.sgd.noise", text="noise of mean 0 and total variance sigma^2"),
    ),
    law="full",
    bounding="none",
    settings=lambda at: {"step": at.beta, "noise_scale": at.sigma},
    update=lambda at: 1.0,
    server=lambda at: at.beta,
    deviation=lambda at: at.sigma / at.d**0.5,
    gaussian=False,
    several_steps=False,
)

LISTINGS = {
    listing.algorithm: listing
    for listing in (
        DP_FEDAVG,
        DP_NORM_FEDAVG,
        FEDAVG,
        STOCHASTIC_FEDAVG,
        GRADIENT_DESCENT,
        STOCHASTIC_GRADIENT_DESCENT,
    )
}


FAMILIES = {family.algorithm: family for family in (DPFL, ALS_DPFL, FED_ALPHA_NORM_EC)}


def listing_of(algorithm: str) -> Listing | Family[Any]:
    """The listing of this name; a name that has none is refused with the nearest one."""
    name = algorithm.replace("-", "_")
    if name in LISTINGS:
        return LISTINGS[name]
    if name in FAMILIES:
        return FAMILIES[name]
    known = [*LISTINGS, *FAMILIES]
    key, dot, _ = algorithm.partition(".")
    if dot:
        advice = f"install the package that registers the key {key}"
    elif name in own():
        advice = (
            f"{name} is a paper; of its algorithms these have a listing: {', '.join(_list_for_paper(name))}"
        )
    else:
        advice = f"did you mean {nearest(name, known)}?"
    raise UnknownAlgorithm(
        asked=f"conform --as {algorithm}",
        failed="no listing and no algorithm of an installed package has this name",
        found=repr(algorithm),
        needed="one of " + ", ".join(known) + ", or KEY.NAME of an installed package",
        change=advice,
    )


def _list_for_paper(key: str) -> list[str]:
    """The names of the listings that statements of this paper are about."""
    names = {name: listing.statements or (name, key) for name, listing in LISTINGS.items()}
    names |= {name: (name, key) for name in FAMILIES}
    listed = {about: name for name, about in names.items()}  # of two, the one that is of this paper alone
    found = ((statement.algorithm, key) for statement in bounds.statements(key))
    return list(dict.fromkeys(listed[about] for about in found if about in listed))
