"""What docs/amended/fedavg_lojasiewicz.md derives, on sequences of numbers and on runs made by hand.

The bounds are typed from the derivation; golden_amended_d.py says that the statements have the same ones.
"""

import math

import numpy as np
import pytest
from sections_of_docs import section

import bounds
from bounds.discovery import forms
from bounds.language.finding import Verdict
from bounds.language.statement import SUFFICIENT
from verify.records.errata import CONCLUSION, WITNESS, our_errata
from verify.records.refuted import refuted

PAPER = "fedavg_lojasiewicz"
AMENDED = {n: s for n, s in forms(PAPER).items() if s.amendment is not None}
FALSE = {identity for identity in refuted() if identity.startswith(f"{PAPER}.")}


def measured() -> set[str]:
    """Statements of which a witness measures the conclusion."""
    return {e.statement for e in our_errata() if e.kind == WITNESS and e.where == CONCLUSION}


@pytest.mark.parametrize("name", AMENDED)
def test_is_derived_and_says_whether_what_it_adds_is_needed(name: str) -> None:
    statement, printed = AMENDED[name], bounds.get(AMENDED[name].id)
    amendment = statement.amendment
    assert amendment is not None
    assert len(section(amendment.derivation)) > 200
    if statement.conditions != printed.conditions or statement.assumptions != printed.assumptions:
        assert amendment.needed == SUFFICIENT or amendment.needed in FALSE | measured()


def test_what_is_false_has_an_amended_form_or_a_reason_for_none() -> None:
    reasons = section("docs/amended/fedavg_lojasiewicz.md#without-an-amended-form")
    left = FALSE - {statement.id for statement in AMENDED.values()}
    assert [identity for identity in left if f"**{bounds.get(identity).locator}**" not in reasons] == []


def spread(rng: np.random.Generator, count: int) -> np.ndarray:
    """Constants over six decades; the step is what the statement allows."""
    sizes: np.ndarray = 10 ** rng.uniform(-3, 3, count)
    return sizes


def test_the_printed_recursion_unrolls_with_its_noises_divided_by_mu() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        L, zeta, sigma, gap = spread(rng, 4)
        M, H, R = rng.integers(1, 30), rng.integers(1, 30), rng.integers(0, 200)
        mu, eta = 2 * L * rng.uniform(0.001, 1), rng.uniform(0.01, 1) / (18 * L * H)
        added = 2 * eta * H * zeta**2 + (4 * eta**2 * H * L / M + 3 * eta**3 * H * (H - 1) * L**2) * sigma**2
        s = gap
        for _ in range(R):
            s = (1 - eta * H * mu / 4) * s + added
        noise = 16 * eta * L / (M * mu) + 12 * eta**2 * (H - 1) * L**2 / mu
        bound = (1 - eta * H * mu / 4) ** R * gap + 8 * zeta**2 / mu + noise * sigma**2
        assert s <= bound * (1 + 1e-12)
        if H == 1:
            one = (1 - eta * mu / 2) ** R * gap + zeta**2 / mu + 2 * L * eta * sigma**2 / (mu * M)
            assert one <= bound * (1 + 1e-12)


def test_without_a_limit_on_mu_the_recursion_does_not_unroll() -> None:
    """q = eta H mu/4 = 2, one round from s = 0 without heterogeneity: A against A/2."""
    L, M, H, eta, sigma = 1.0, 1, 1, 1 / 18, 1.0
    mu = 8 / (eta * H)
    added = 4 * eta**2 * H * L / M * sigma**2
    given = {"L": L, "M": M, "H": H, "eta": eta, "mu_1": mu, "zeta": 0, "sigma": sigma, "f0_gap": 0, "R": 1}
    found = bounds.get(f"{PAPER}.claims_of_theorem_f2.unroll", "amended").evaluate(**given)
    assert found.applicable is False
    assert found.value == pytest.approx(added / 2)


def test_the_gradient_in_39_pays_for_a_power_of_the_gap_and_not_for_the_product() -> None:
    """(39) with (19) at equality, for every squared gradient g that (19) allows."""
    rng = np.random.default_rng(2)
    gap, mu, zeta, weight = 10 ** rng.uniform(-2, 2, (4, 4000))
    alpha, more = rng.uniform(1, 2, 4000), rng.uniform(0, 2, 4000)
    g = np.maximum(mu * gap**alpha - zeta**2, 0) * (1 + more)
    of_39 = -weight / 4 * g + weight * zeta**2
    amended = -weight * mu / 4 * gap**alpha + 2 * weight * zeta**2  # with the constants of (39)
    printed = -weight / 4 * gap * g + 2 * weight * zeta**2
    size = weight * (g * (1 + gap) + mu * gap**alpha + zeta**2)
    assert np.all(of_39 <= amended + 1e-12 * size)
    assert np.any(of_39 > printed + 1e-3 * size)


def floor_of_one_step(
    zeta: float, sigma: float, mu: float, alpha: float, L: float, eta: float, M: int
) -> float:
    heterogeneity, noise = zeta**2 / mu, 2 * L * eta * sigma**2 / (M * mu)
    return float(heterogeneity ** (1 / alpha) + noise ** (1 / alpha))


def test_equation_41_and_the_step_after_it() -> None:
    """v+ <= v - kappa v^alpha from above the floor, which the printed line does not give."""
    rng = np.random.default_rng(3)
    broken = 0
    for _ in range(2000):
        L, zeta, sigma, mu, above = spread(rng, 5)
        alpha, M = rng.uniform(1, 2), int(rng.integers(1, 20))
        eta = rng.uniform(0.01, 1) / L
        C, kappa = floor_of_one_step(zeta, sigma, mu, alpha, L, eta, M), eta * mu / 2
        s = C + above
        after = s - kappa * s**alpha + eta / 2 * zeta**2 + L * eta**2 * sigma**2 / M
        size = s + kappa * s**alpha + eta * zeta**2 + L * eta**2 * sigma**2 / M
        assert after - C <= above - kappa * above**alpha + 1e-12 * size
        broken += after - C > above - kappa * s**alpha + eta * zeta**2 + 1e-12 * size
    assert broken > 100


def test_twice_the_floor_is_kept_by_every_sequence_that_meets_the_condition() -> None:
    """Below the recursion too: each round ends anywhere between 0 and what it allows."""
    rng = np.random.default_rng(4)
    largest = 0.0
    for _ in range(1500):
        L, sigma, zeta = spread(rng, 3)
        alpha, M = rng.uniform(1.01, 2), int(rng.integers(1, 20))
        eta = rng.uniform(0.01, 1) / L
        zeta, sigma = zeta * rng.choice([0, 1]), sigma
        added = (zeta**2) ** (1 / alpha) + (2 * L * eta * sigma**2 / M) ** (1 / alpha)
        mu = (2 / (eta * added ** (alpha - 1))) ** alpha * rng.choice([1.0, rng.uniform()])
        C, kappa = floor_of_one_step(zeta, sigma, mu, alpha, L, eta, M), eta * mu / 2
        assert kappa * C ** (alpha - 1) <= 1 + 1e-9
        s = C * rng.uniform()
        for _ in range(30):
            allowed = s - kappa * s**alpha + eta / 2 * zeta**2 + L * eta**2 * sigma**2 / M
            if allowed < 0:
                break
            s = allowed * rng.choice([1.0, rng.uniform()])
            largest = max(largest, s / C)
            assert s <= 2 * C * (1 + 1e-9)
    assert largest > 1.05


def test_a_floor_with_17_holds_what_a_round_adds_and_16_does_not() -> None:
    rng = np.random.default_rng(5)
    fails = 0
    for _ in range(3000):
        L, zeta, sigma = spread(rng, 3)
        zeta = zeta * rng.choice([0, 1])
        M, H = int(rng.integers(1, 50)), int(rng.integers(1, 50))
        eta = rng.choice([1.0, rng.uniform()]) / (18 * M * L * H)
        added = 2 * eta * H * zeta**2 + (4 * eta**2 * H * L / M + 3 * eta**3 * H * (H - 1) * L**2) * sigma**2
        # kappa C^alpha is at least this, with equality where one of the two summands is 0.
        held = [2 * eta * H * zeta**2 + n * eta**2 * H * L / (4 * M) * sigma**2 for n in (16, 50 / 3, 17)]
        assert added <= held[1] * (1 + 1e-12)
        assert held[1] <= held[2]
        fails += added > held[0] * (1 + 1e-9)
    assert fails > 100


def sums_of_the_drift(H: int, u: float) -> tuple[float, float]:
    """A/(4 (H-1)^2) and B/(4 (H-1)), from the recursions of a and b."""
    a, b = [0.0], [0.0]
    for h in range(1, H):
        a.append(h + u * sum(a))
        b.append(math.sqrt(h) + u * sum(b))
    limits = [(math.expm1(h / H) * H, math.sqrt(h) * math.exp(h / H)) for h in range(H)]
    if u <= 1 / H:
        pairs = zip(a, b, limits, strict=True)
        assert all(x <= p * (1 + 1e-12) and y <= q * (1 + 1e-12) for x, y, (p, q) in pairs)
    squares = sum(x**2 for x in a), sum(y**2 for y in b)
    return squares[0] / H / (4 * (H - 1) ** 2), squares[1] / H / (4 * (H - 1))


def test_lemma_f1_has_room_for_the_step_that_it_asks() -> None:
    """Both parts together are below 1/2 for few steps, and below what the integrals give for more."""
    for H in range(2, 120):
        a, b = sums_of_the_drift(H, 1 / H)
        assert a + b < (0.5 if H < 5 else 0.758 * H**2 / (4 * (H - 1) ** 2) + 2.098 * H / (4 * (H - 1)))
    assert 0.758 * 25 / 64 + 2.098 * 5 / 16 < 0.96
    # With three times the step it has none.
    assert sum(sums_of_the_drift(100, 3 / 100)) > 1


@pytest.mark.parametrize("H", [2, 3, 5, 50])
def test_lemma_f1_on_the_steepest_functions_at_the_longest_step(H: int) -> None:
    """-L theta^2/2 drives the iterates apart: mean squares in closed form, eta = 1/(LH)."""
    rng = np.random.default_rng(7)
    for L, g, sigma in (spread(rng, 3) for _ in range(50)):
        eta, growth = 1 / (L * H), 1 + 1 / H
        drift = [
            eta**2 * (g**2 * ((growth**h - 1) * H) ** 2 + sigma**2 * sum(growth ** (2 * j) for j in range(h)))
            for h in range(1, H)
        ]
        bound = 4 * eta**2 * (H - 1) ** 2 * g**2 + 4 * eta**2 * (H - 1) * sigma**2
        assert sum(drift) / H <= bound


ROUND = {"descent": 0.75, "zeta": 1 / 80, "noise": 9 / 16, "drift": 0.75}


def excess_of_a_round(rng: np.random.Generator, constants: dict[str, float]) -> float:
    """The mean of F after a round of quadratic agents, exactly, less the bound, in units of its summands."""
    M, H = int(rng.integers(1, 5)), int(rng.integers(1, 9))
    curvature, center = rng.choice([1, -1, rng.uniform(-1, 1)], M), rng.normal(size=M)
    eta, sigma, theta = (
        rng.choice([1, rng.uniform()]) / (18 * H),
        10 ** rng.uniform(-2, 1),
        rng.normal(scale=3),
    )
    kept = (1 - eta * curvature) ** H
    mean = float((kept * (theta - center) + center).mean())
    walked = sum((1 - eta * curvature) ** (2 * k) for k in range(H))
    variance = eta**2 * sigma**2 * float(np.sum(walked)) / M**2
    change = (curvature * ((mean - center) ** 2 + variance - (theta - center) ** 2)).mean() / 2
    slopes = curvature * (theta - center)
    gradient, zeta = slopes.mean() ** 2, slopes.var()
    bound = eta * H * (constants["zeta"] * zeta - constants["descent"] * gradient)
    bound += constants["noise"] * eta**2 * H * sigma**2 / M
    bound += constants["drift"] * eta**3 * H * (H - 1) * sigma**2
    return float((change - bound) / (eta * H * (gradient + zeta) + eta**2 * H * sigma**2 / M))


def test_one_round_of_quadratics_stays_below_its_bound() -> None:
    rng = np.random.default_rng(7)
    assert max(excess_of_a_round(rng, ROUND) for _ in range(4000)) <= 0


@pytest.mark.parametrize(("name", "factor"), [("descent", 1.4), ("noise", 0.8)])
def test_the_constants_of_a_round_cannot_be_much_better(name: str, factor: float) -> None:
    rng = np.random.default_rng(7)
    better = ROUND | {name: ROUND[name] * factor}
    assert max(excess_of_a_round(rng, better) for _ in range(4000)) > 1e-3


def test_the_constants_of_a_round_follow_from_its_derivation() -> None:
    t, s = 2 / 5, 8
    for x in np.linspace(1e-3, 1 / 18, 200):
        a, b = (math.expm1(x) / x) ** 2, math.expm1(2 * x) / (2 * x)
        second = (1 - x) / (2 * t) + x / 2
        of_gradients = second * (1 + s) * a * x**2 / 3
        assert 1 - x / 2 - (1 - x) * t / 2 - of_gradients >= ROUND["descent"]
        assert of_gradients <= ROUND["zeta"]
        assert b / 2 <= ROUND["noise"]
        assert second * (1 + 1 / s) * b / 2 <= ROUND["drift"]


def test_theorem_f2_is_its_round_unrolled_and_below_the_printed_form() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        L, zeta, sigma, gap = spread(rng, 4)
        M, H, R = rng.integers(1, 30), rng.integers(1, 30), rng.integers(0, 200)
        mu, eta = 2 * L * rng.uniform(0.001, 1), rng.uniform(0.01, 1) / (18 * L * H)
        added = 61 / 80 * eta * H * zeta**2
        added += (9 / 16 * eta**2 * H * L / M + 0.75 * eta**3 * H * (H - 1) * L**2) * sigma**2
        s = gap
        for _ in range(R):
            s = (1 - 0.75 * eta * H * mu) * s + added
        given = {"L": L, "M": M, "H": H, "R": R, "eta": eta, "mu_1": mu, "zeta": zeta, "sigma": sigma}
        bound = bounds.get(f"{PAPER}.theorem_f2", "amended").evaluate(**given, f0_gap=gap).value
        assert s <= bound * (1 + 1e-12)
        weaker = bounds.get(f"{PAPER}.claims_of_theorem_f2.unroll", "amended").evaluate(**given, f0_gap=gap)
        assert bound <= weaker.value * (1 + 1e-12)


def test_theorem_f4_is_its_round_unrolled() -> None:
    """From above the floor and from below it, at every gap that FL-1 and FL-2 leave."""
    rng = np.random.default_rng(9)
    below = 0
    for _ in range(400):
        L, sigma, zeta = spread(rng, 3)
        M, H, R = int(rng.integers(1, 9)), int(rng.integers(1, 9)), int(rng.integers(0, 60))
        alpha, mu = rng.uniform(1.1, 2), L ** rng.uniform(0.5, 1.5)
        eta = rng.uniform(0.1, 1) / (18 * M * L * H)
        G = (2 * L / mu) ** (1 / (alpha - 1))
        given = {"L": L, "M": M, "H": H, "eta": eta, "zeta": zeta, "sigma": sigma}
        added = 61 / 80 * eta * H * zeta**2
        added += (9 / 16 * eta**2 * H * L / M + 0.75 * eta**3 * H * (H - 1) * L**2) * sigma**2
        s = gap = G * rng.uniform()
        for _ in range(R):
            s = min(G, s - 0.75 * eta * H * mu * s**alpha + added)
        found = bounds.get(f"{PAPER}.theorem_f4", "amended").evaluate(
            **given, mu=mu, alpha=alpha, R=R, f0_gap=gap
        )
        below += gap < found.value - gap
        assert s <= found.value * (1 + 1e-9)
    assert 20 < below < 380


def test_below_its_floor_a_run_under_fl_1_and_fl_2_stays_there() -> None:
    """The case that Theorem F.4 leaves out: alpha kappa G^(alpha-1) <= 1 makes a round monotone."""
    rng = np.random.default_rng(6)
    for _ in range(500):
        L, mu = spread(rng, 2)
        alpha, M = rng.uniform(1.05, 2), int(rng.integers(1, 20))
        kappa = 3 * mu / (4 * 18 * M * L)  # 3 eta H mu/4 at the longest step, whatever H is
        G = (2 * L / mu) ** (1 / (alpha - 1))
        C = G * rng.uniform()
        s = np.linspace(0, C, 200)
        assert np.all(s - kappa * s**alpha + kappa * C**alpha <= C * (1 + 1e-12))


@pytest.mark.parametrize("name", ["theorem_f2", "recursions.f4", "theorem_f4"])
def test_standard_cells_hold_or_are_refused(name: str) -> None:
    from verify.matching.joined import get_runs
    from verify.runs.check import run_cell

    statement = bounds.get(f"{PAPER}.{name}", "amended")
    cells = get_runs(statement).cells(statement)
    verdicts = {c.role: run_cell(c, level=1e-6, seed=1, replicates=512).verdict for c in cells}
    assert set(verdicts.values()) <= {Verdict.HOLDS, Verdict.INCONCLUSIVE, Verdict.REFUSED}
    assert verdicts["homogeneous"] is Verdict.HOLDS


def test_gaussian_noise_on_a_flat_quadratic_by_hand() -> None:
    """f = m x^2/2 from 0: after R steps the gap is m/2 eta^2 sigma^2 sum q^(2r)."""
    m, sigma = 1e-3, 1.0
    eta, mu, R = 1 / (18 * m), 2 * m, 400
    gap = m / 2 * eta**2 * sigma**2 * sum((1 - eta * m) ** (2 * r) for r in range(R))
    given = {"L": m, "M": 1, "H": 1, "R": R, "eta": eta, "mu_1": mu, "zeta": 0, "sigma": sigma, "f0_gap": 0}
    printed, amended = (
        bounds.get(f"{PAPER}.theorem_f2", v).evaluate(**given) for v in ("printed", "amended")
    )
    assert printed.applicable
    assert amended.applicable
    assert printed.value < gap < amended.value
    assert amended.value == pytest.approx(0.75 * eta * m * sigma**2 / mu)
    assert gap / amended.value > 0.6
