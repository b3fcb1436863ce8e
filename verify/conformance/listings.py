"""The listings that code can be compared with. A listing's name is the algorithm's name in `synthetic`."""

from typing import Any

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
    several_steps=False,
)

LISTINGS = {
    listing.algorithm: listing
    for listing in (DP_FEDAVG, DP_NORM_FEDAVG, FEDAVG, GRADIENT_DESCENT, STOCHASTIC_GRADIENT_DESCENT)
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
    raise UnknownAlgorithm(
        asked=f"conform --as {algorithm}",
        failed="no listing with this name can be compared with code",
        found=repr(algorithm),
        needed="one of " + ", ".join(known),
        change=f"did you mean {nearest(name, known)}?",
    )
