"""Slips of the ALS-DPFL paper stand in its text, and what is said to be right is not one."""

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from verify.papers.als_dpfl.witnesses import proof_steps, slips, statements

PRINTED = (Path(__file__).parents[2] / "bounds/papers/als_dpfl/transcription.md").read_text(encoding="utf-8")


def listing(number: int) -> list[str]:
    text = PRINTED.split(f"### C.alg{number} ", 1)[1].split("```")[1]
    return [re.sub(r"^ *\d+ *", "", line) for line in text.splitlines() if re.match(r" *\d", line)]


def test_the_names_of_the_first_line_and_of_the_guard_are_the_printed_ones() -> None:
    first, guard = listing(2)[:2]
    assert set(re.findall(r"([\w*]+) = ", first)) == slips.SET
    assert set(re.findall(r"(\w+) <", guard)) == slips.COMPARED
    assert not any(re.search(r"\br_[sc]\b", line) for line in listing(2)[1:])
    renamed = first.replace("r_s", "c_b").replace("r_c", "p_b")
    assert set(re.findall(r"([\w*]+) = ", renamed)) >= slips.COMPARED


def test_the_step_is_counted_inside_the_loop_over_the_clients() -> None:
    lines = listing(2)
    clients, steps, raised = (lines.index(next(x for x in lines if x.startswith(s))) for s in
                              ("for i in", "for j in", "t = t + 1"))  # fmt: skip
    assert clients < steps < raised
    measured = slips.steps_of_all_clients()
    assert (measured.left, measured.right) == (10 * 2, 2)


@pytest.mark.parametrize("shift", [0, 1])
def test_the_first_step_of_a_round_reads_a_model_that_is_there(shift: int) -> None:
    """Line 5 as printed, and with j - 1 for j: what is set at the t that line 8 reads, for tau = 2."""
    lines, tau = listing(1), 2
    assert "t = (k-1) tau + j;" in lines
    assert any("grad F_i( w^_i(t), s )" in line for line in lines)
    assert any(line.startswith("w^_i(t+1) = w^_i(t)") for line in lines)
    averages, own, read = {0}, set[int](), []
    for k in (1, 2, 3):
        for j in range(1, tau + 1):
            t = (k - 1) * tau + j - shift
            if j == 1:
                read.append("average" if t in averages else "own" if t in own else "nothing")
            own.add(t + 1)
        averages.add(k * tau)
    assert read == (["average"] * 3 if shift else ["nothing", "own", "own"])
    assert slips.first_model_of_a_round().refutes


def test_the_divergence_belongs_into_the_sum() -> None:
    measured = slips.divergence_outside_its_sum()
    assert (measured.left, measured.right) == (0, (0 + 2) / 2)
    display = PRINTED.split("**C.thm1.s3**", 1)[1].split("**C.thm1.s4**")[0]
    assert r"\frac{\sum_i D_i}{D} \left(\frac{\xi_i" in display


def test_the_last_gaps_keep_the_bound_and_others_do_not() -> None:
    measured = slips.gap_of_another_step()
    assert (measured.left, measured.right, measured.refutes) == (1 / (0.25 * 0.5), 1 / 0.5**2, True)
    (limit,) = re.findall(r"C.thm2.4: .*< (\d)\$", PRINTED)
    assert 1 / measured.right < int(limit)  # lambda = 1/2 is the gap of w(T)
    display = PRINTED.split("**C.thm2.s9**", 1)[1].split("**C.thm2.s10**")[0]
    assert r"F(\hat{\mathbf{w}}(t))" in display
    assert r"F(\hat{\mathbf{w}}(T))" not in display


def test_a_column_times_a_row_is_no_number() -> None:
    measured = slips.column_times_row()
    assert (measured.left, measured.right) == (2 * 2, 1)
    display = PRINTED.split("**C.lem6.s10**", 1)[1].split("**C.lem6.s11**")[0]
    assert re.search(r"\\nabla F\(.*\)\} *\(\\mathbf\{n\}_\{\\mathbf\{v\}\}\^t\)\^T", display)


def test_the_interval_that_refutes_lemma_6_by_hand() -> None:
    """In fractions: both sides of (22), Lemma 4's hypothesis at all three times, and the distances."""
    near, half = Fraction(1, 2**14), Fraction(1, 2)
    law = {Fraction(2): Fraction(1, 65), Fraction(-1, 32): Fraction(64, 65)}
    variance = sum(p * n**2 for n, p in law.items())
    assert (sum(p * n for n, p in law.items()), variance) == (0, Fraction(1, 16))
    runs = [{2 + 2 * near: Fraction(1)}]
    for _ in range(2):
        runs.append({half * (v - n): p * q for (v, p), (n, q) in product(runs[-1].items(), law.items())})
    start, first, second = runs
    assert all(sum(p * v**2 for v, p in law_of.items()) / 4 >= variance for law_of in runs)
    assert max(map(abs, [*first, *second])) <= max(start)
    lam = min(v**2 / 2 for v in second)
    assert lam == (Fraction(1, 64) + near / 2) ** 2 / 2
    before, after = (sum(p * 2 / v**2 for v, p in law_of.items()) for law_of in (first, second))
    omega = 1 / max(start) ** 2
    claimed = -omega * half * Fraction(3, 4) + half * variance / lam**2
    assert before - after > 3 * claimed
    measured = statements.lemma_6()
    assert measured.refutes
    assert (measured.left, measured.right) == pytest.approx((float(before - after), float(claimed)), rel=1e-9)


def test_a_model_that_is_not_so_near_keeps_the_bound_and_more_noise_breaks_the_hypothesis() -> None:
    assert statements.lemma_6(near=2.0**-6).applicable
    assert not statements.lemma_6(near=2.0**-6).refutes
    assert not statements.lemma_6(kick=2.5).applicable


def test_a_step_that_lemma_4_allows_leads_away_on_one_path() -> None:
    measured = proof_steps.farther_than_the_start()
    assert measured.applicable
    assert (measured.left, measured.right) == (1, float(1 / Fraction(3, 2) ** 2))
