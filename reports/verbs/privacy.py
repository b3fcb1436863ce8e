"""`fedbounds privacy`: accountants in place of unknown constants."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Accountant, Json, Relation, take_path

app = App(
    name="privacy",
    help="Compute noise for a privacy target, the epsilon of a noise, or a paper's open constant.",
    help_format="plaintext",
)

Delta = Annotated[str, Parameter(help="Delta of the privacy guarantee, a number in (0, 1).")]
Rounds = Annotated[str, Parameter(help="Number of releases of the noisy sum, an integer.")]
Drawing = Annotated[str, Parameter(help="Sampling of the units: full, independent:P or fixed_size:M/N.")]
Related = Annotated[
    Relation,
    Parameter(help="Neighboring relation; there is no default."),
]
Protected = Annotated[
    Literal["client", "record"],
    Parameter(help="Unit of privacy: a whole client or one record."),
]
Counted = Annotated[
    Accountant,
    Parameter(help="Accountant that computes the guarantee."),
]
CountedBySampling = Annotated[
    Accountant | None,
    Parameter(help="Accountant of the guarantee. Default: rdp for a fixed size, else pld."),
]
Sigma = "A noise multiplier: deviation per coordinate over the largest contribution."
Clients = Annotated[str | None, Parameter(help="Number of clients, an integer.")]
Dimension = Annotated[str | None, Parameter(help="Dimension of the model, an integer.")]


Epsilon = Annotated[str, Parameter(help="Epsilon of the privacy target, a number > 0.")]
CalibrateRounds = Annotated[str | None, Parameter(help="Find the noise for this number of rounds.")]
SigmaOption = Annotated[str | None, Parameter(help=f"Find the rounds it allows. {Sigma}")]
Paper = Annotated[
    str | None, Parameter(help="Also print the noise in the convention of this paper or statement.")
]
Clip = Annotated[str | None, Parameter(help="Largest norm of a contribution, a number > 0.")]
Batch = Annotated[str | None, Parameter(help="Expected batch size, a number > 0.")]


@app.command(
    help_epilogue="Example: fedbounds privacy calibrate --epsilon 8 --delta 1e-5 --rounds 100 "
    "--sampling independent:0.1 --relation add-or-remove"
)
def calibrate(
    *,
    epsilon: Epsilon,
    delta: Delta,
    rounds: CalibrateRounds = None,
    sigma: SigmaOption = None,
    sampling: Drawing,
    relation: Related,
    unit: Protected = "client",
    accountant: CountedBySampling = None,
    paper: Paper = None,
    clients: Clients = None,
    dimension: Dimension = None,
    clip: Clip = None,
    batch: Batch = None,
    json: Json = False,
) -> int:
    """Compute the noise for a target or, with --sigma, the number of rounds it allows."""
    from reports.documents.privacy_answers import calibrated
    from reports.inputs.privacy_words import scale

    words: dict[str, Any] = {
        "epsilon": epsilon,
        "delta": delta,
        "rounds": rounds,
        "sigma": sigma,
        "sampling": sampling,
    }
    words |= {"relation": relation, "unit": unit, "accountant": accountant}
    of_paper = {"clients": clients, "dimension": dimension, "contribution": clip, "batch": batch}
    return _answer("calibrate", words, lambda: calibrated(words, paper, scale(of_paper)), _calibrated, json)


EpsilonSigmaOption = Annotated[
    str, Parameter(help="Noise multiplier: deviation of the noise over the largest contribution.")
]
Placement = Annotated[
    Literal["server", "clients"],
    Parameter(help="Where noise is added: by the server to the sum, or by each drawn client."),
]
Spread = Annotated[
    Literal["per-coordinate", "total"],
    Parameter(help="Whether sigma^2 is the variance per coordinate or in total (needs --dimension)."),
]


@app.command(
    help_epilogue="Example: fedbounds privacy epsilon --sigma 1 --delta 1e-5 --rounds 100 "
    "--sampling independent:0.1 --relation add-or-remove"
)
def epsilon(
    *,
    sigma: EpsilonSigmaOption,
    delta: Delta,
    rounds: Rounds,
    sampling: Drawing,
    relation: Related,
    unit: Protected = "client",
    placement: Placement = "server",
    spread: Spread = "per-coordinate",
    clients: Clients = None,
    dimension: Dimension = None,
    accountant: CountedBySampling = None,
    json: Json = False,
) -> int:
    """Compute the smallest epsilon that the accountant proves for a given noise."""
    from reports.documents.privacy_answers import cost

    words: dict[str, Any] = {
        "sigma": sigma,
        "delta": delta,
        "rounds": rounds,
        "sampling": sampling,
        "relation": relation,
    }
    words |= {"unit": unit, "placement": placement, "spread": spread, "clients": clients}
    words |= {"dimension": dimension, "accountant": accountant}
    return _answer("epsilon", words, lambda: cost(words), _facts, json)


Name = Annotated[str, Parameter(name="NAME", help="Key of a paper, or the id of one of its statements.")]
ImpliedEpsilon = Annotated[
    str | None, Parameter(help="Values of epsilon separated by commas. Default: the claimed range.")
]
Csv = Annotated[Path | None, take_path("CSV file to write the numbers to.")]
Plot = Annotated[Path | None, take_path("Figure to draw: a file ending in .svg, .png or .pdf.")]


@app.command(
    help_epilogue="Example: fedbounds privacy implied dp_fedavg --delta 1e-5 --rounds 100 "
    "--sampling independent:0.1 --relation add-or-remove"
)
def implied(
    name: Name,
    /,
    *,
    delta: Delta,
    rounds: Rounds,
    sampling: Drawing,
    relation: Related,
    epsilon: ImpliedEpsilon = None,
    clients: Clients = None,
    accountant: Counted = "pld",
    csv: Csv = None,
    plot: Plot = None,
    json: Json = False,
) -> int:
    """Compute the constant that makes a paper's noise formula agree with an accountant."""
    from reports.documents.privacy_answers import constants
    from reports.plots.implied_constant import check_outputs, written

    words: dict[str, Any] = {
        "name": name,
        "delta": delta,
        "rounds": rounds,
        "sampling": sampling,
        "relation": relation,
    }
    words |= {"epsilon": epsilon, "clients": clients, "accountant": accountant}

    check_outputs(csv, plot)

    def compute() -> dict[str, Any]:
        return written(constants(words, terminal.Progress()), csv, plot)

    return _answer("implied", words, compute, _implied, json)


def _answer(
    verb: str,
    asked: dict[str, Any],
    compute: Callable[[], dict[str, Any]],
    page: Callable[[dict[str, Any]], Page],
    json: bool,
) -> int:
    """Print a number with its facts, or a refusal with its reason."""
    from reports.inputs.numerals import inside_floats
    from verify.privacy.errors import Unaccountable

    given = ", ".join(f"--{name} {value}" for name, value in asked.items() if value is not None)
    try:
        with inside_floats(given):
            body = {"asked": asked, "refused": False, **compute()}
    except Unaccountable as error:
        body = {"asked": asked, "refused": True, "reason": str(error)}
    if json:
        terminal.write(json_border.document(f"privacy-{verb}", body))
    elif body["refused"]:
        terminal.say(f"refused: {body['reason']}")
    else:
        terminal.write(str(page(body)))
    return exits.OPEN if body["refused"] else exits.OK


def _facts(body: dict[str, Any]) -> Page:
    from reports.documents.privacy_answers import lines

    page = Page()
    page.title(body["sentence"])
    page.columns_of(lines(body))
    return page


def _calibrated(body: dict[str, Any]) -> Page:
    page = _facts(body)
    if body["conventions"]:
        page.heading(f"In the convention of {body['paper']}")
    for row in body["conventions"]:
        value = f"{row['value']:.6g}" if row["value"] is not None else f"({row['reason']})"
        named = "; the reading under which its statements are judged" if row["named"] else ""
        page.item(f"{row['symbol']} = {value}", f"{row['reading']}{named}", row["text"])
    return page


def _implied(body: dict[str, Any]) -> Page:
    symbol, page = body["symbol"], Page()
    page.title(body["sentence"])
    page.paragraph(f"{body['locator']}: {body['printed']}; claimed: {body['claims']}", indent=0)
    page.heading(f"The {symbol} that agrees with the accountant")
    header = ("epsilon", "sigma", symbol, "printed limit", "claimed")
    rows = [header, *(_row(point) for point in body["points"])]
    page.columns_of(rows)
    page.heading("Under the listing's own placement")
    page.paragraph(body["listing"])
    for row in body["drawn"]:
        constant_range = row["constant"]
        sentence = (
            f"{symbol} from {constant_range[0]:.4g} to {constant_range[1]:.4g} gives the sum its sigma"
            if constant_range
            else row["reason"]
        )
        ratio = f"noise of the sum {row['noise_over_formula']:.4g} times the formula's; {sentence}"
        page.item(f"{row['clients']:g} clients drawn, {row['when']}", ratio)
    page.heading("Facts")
    page.columns_of((name, str(value)) for name, value in body["facts"].items())
    return page


def _row(point: dict[str, Any]) -> tuple[str, ...]:
    limit = point["printed_limit"]
    shown = "none" if limit is None else f"{limit:.4f}"
    return (
        f"{point['epsilon']:.4g}",
        f"{point['sigma']:.6g}",
        f"{point['constant']:.4f}",
        shown,
        "yes" if point["claimed"] else "no",
    )
