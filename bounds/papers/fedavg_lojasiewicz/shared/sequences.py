"""Sequences of mean gaps that obey a recursion of the proofs with equality, and numbers given by name."""

from typing import Any

from sympy import Symbol

from bounds.language.lazy_numpy import np
from bounds.papers.fedavg_lojasiewicz.notation import NOTATION


def given(*symbols: Symbol) -> dict[str, str]:
    """Objects that are numbers: each is called as in the notation table."""
    return {s.name: NOTATION.quantities[s.name].meaning for s in symbols}


def step(s: Any, power: Any, decrease: Any, addition: Any) -> Any:
    """No number where s is negative, and so no gap."""
    with np.errstate(invalid="ignore"):
        return s - decrease * s**power + addition


def path(s: Any, rounds: Any, power: Any, decrease: Any, addition: Any) -> Any:
    """s_0, ... on the first axis, up to the largest number of rounds; a case with fewer then stands still."""
    out = [np.asarray(s, dtype=float)]
    for r in range(int(np.max(rounds))):
        out.append(np.where(r < np.asarray(rounds), step(out[-1], power, decrease, addition), out[-1]))
    return np.stack(np.broadcast_arrays(*out))


def addition_of_one_step(L: Any, M: Any, eta: Any, zeta: Any, sigma: Any) -> Any:
    """What a round adds in D.F3.s4."""
    return eta * zeta**2 / 2 + L * eta**2 * sigma**2 / M


def addition_of_a_round(L: Any, M: Any, H: Any, eta: Any, zeta: Any, sigma: Any) -> Any:
    """What a round adds in D.F2.s15 and D.F4.s1."""
    noise = 4 * eta**2 * H * L / M + 3 * eta**3 * H * (H - 1) * L**2
    return 2 * eta * H * zeta**2 + noise * sigma**2


def floor_of_one_step(L: Any, M: Any, eta: Any, zeta: Any, sigma: Any, mu: Any, alpha: Any) -> Any:
    """The C of Lemma F.3."""
    return (zeta**2 / mu) ** (1 / alpha) + (2 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha)
