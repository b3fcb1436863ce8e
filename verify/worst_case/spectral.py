"""The program of long runs of quadratic clients: one measure over curvatures in place of the local steps.

In units in which L = 1 client i has the gradient Q_i x + b_i, relative to x*, and m <= Q_i <= 1. For the
vectors that a run has at the server, x_0..x_K and, if needed, the mean gradients g_k there, and for b_i, let

    mu_uv(A) = the mean over the clients of <u, E_i(A) v>, with E_i the spectral projections of Q_i:

a measure on [m, 1] whose values are positive semidefinite matrices. E local steps are one polynomial of Q_i,
so a round is linear in integrals of polynomials over mu, and the program has a row for each round, not for
each step. docs/worst_case.md shows that every such measure belongs to clients of the class.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import final

from verify.worst_case.checker import Entry, Form, Program
from verify.worst_case.federated_averaging import START, variance
from verify.worst_case.matrix_polynomial import bernstein
from verify.worst_case.setting import DISTANCE, GAP, GRADIENT, MEAN_GAP, SMALLEST_GAP, Setting

Powers = tuple[Fraction, ...]  # the coefficients of a polynomial in t, where q = m + (1 - m) t
ONE: Powers = (Fraction(1),)
Part = dict[tuple[int, int], Powers]


def spectral_program(setting: Setting) -> Program:
    """Blocks are the integrals of Bernstein polynomials over the measure."""
    return (_OneClient(setting) if setting.is_one_client else _Run(setting)).program()


class _Built:
    """What both programs share: forms are collected as polynomials, and written in the Bernstein basis."""

    size: int

    def __init__(self, setting: Setting) -> None:
        m = setting.curvature / setting.scale
        self.setting = setting
        self.curvature: Powers = (m, 1 - m)
        step = setting.local_step * setting.scale
        factor: Powers = (1 - step * m, -step * (1 - m))  # of a gradient part, by one local step
        self.summed: Powers = ()  # of E local steps, per gradient: step (1 + factor + ... )
        self.left: Powers = ONE
        for _ in range(setting.local_steps):
            self.summed = _plus(self.summed, _scaled(step, self.left))
            self.left = _times(self.left, factor)
        self.moved = _plus(ONE, _scaled(Fraction(-1), self.left))  # 1 - factor^E
        self.forms: list[tuple[str, bool, Fraction, dict[int, Fraction], Part]] = []

    def add(
        self,
        name: str,
        part: Part,
        *,
        constant: Fraction | int = 0,
        values: dict[int, Fraction] | None = None,
        is_equation: bool = False,
    ) -> None:
        self.forms.append((name, is_equation, Fraction(constant), values or {}, part))

    def program(self) -> Program:
        """The last form is the objective."""
        self.describe()
        degree = max(len(powers) - 1 for *_, part in self.forms for powers in part.values())
        *constraints, objective = [self._written(form, max(1, degree)) for form in self.forms]
        numbers = {n for _, _, _, values, _ in self.forms for n in values}
        return Program(
            blocks=(self.size,) * (max(1, degree) + 1),
            values=len(numbers),
            objective=objective,
            constraints=tuple(constraints),
            on_interval=True,
        )

    def describe(self) -> None:
        raise NotImplementedError

    def observe(self, gaps: Sequence[Part], gradients: Sequence[Part], distance: Part) -> None:
        """The objective, from twice the gap, the squared gradient norm and the squared distance at states."""
        name, half = self.setting.observable, Fraction(1, 2)
        if name == DISTANCE:
            added = variance(self.setting) / self.setting.squared_length
            return self.add(name, distance, constant=added)
        if name == GAP:
            return self.add(name, _part(gaps[-1], half))
        if name == GRADIENT:
            return self.add(name, gradients[-1])
        if name == MEAN_GAP:
            total: Part = {}
            for gap in gaps[:-1]:
                total = _together(total, _part(gap, half / (len(gaps) - 1)))
            return self.add(name, total)
        each = [_part(gap, half) for gap in gaps] if name == SMALLEST_GAP else gradients
        for k, one in enumerate(each):
            self.add(f"minimum at {k}", one, values={0: Fraction(-1)})
        return self.add("minimum", {}, values={0: Fraction(1)})

    def _written(self, form: tuple[str, bool, Fraction, dict[int, Fraction], Part], degree: int) -> Form:
        name, is_equation, constant, values, part = form
        entries: dict[Entry, Fraction] = {}
        for (i, j), powers in part.items():
            for block, coefficient in enumerate(bernstein(powers, degree)):
                if coefficient:
                    entries[block, i, j] = coefficient
        return Form(name=name, constant=constant, values=values, entries=entries, is_equation=is_equation)


@final
class _OneClient(_Built):
    """One client, or one local step of each: x_k is a polynomial of the mean Hessian times x_0."""

    size = 1

    def describe(self) -> None:
        factor = _plus(ONE, _scaled(-self.setting.server_step, self.moved))
        powers, square = [ONE], _times(factor, factor)
        for _ in range(self.setting.rounds):
            powers.append(_times(powers[-1], square))
        gaps = [{(0, 0): _times(self.curvature, one)} for one in powers]
        self.add(START, {(0, 0): _scaled(Fraction(-1), ONE)}, constant=1)
        gradients = [{(0, 0): _times(self.curvature, _times(self.curvature, one))} for one in powers]
        self.observe(gaps, gradients, {(0, 0): powers[-1]})


@final
class _Run(_Built):
    """Several clients and local steps: rows are x_0..x_K, then g_0..g_K if they are needed, then b."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        states = setting.rounds + 1
        limits = setting.zeta is not None or setting.xi is not None
        needs = limits or setting.observable not in (DISTANCE, GAP, MEAN_GAP, SMALLEST_GAP)
        seen = states - (setting.observable in (DISTANCE, MEAN_GAP))  # no gradient is taken at x_K
        self.states = range(states)
        self.gradients = range(states, states + seen) if needs else range(0)
        self.spread = states + len(self.gradients)
        self.apart = not setting.alike_at_minimizer  # otherwise every b_i is 0, and has no row
        self.size = self.spread + self.apart

    def describe(self) -> None:
        common = [*self.states, *self.gradients]
        if self.apart:
            for v in common:
                self.add(f"mean of b and {v}", _pair(v, self.spread, ONE), is_equation=True)
        for k in self.states[:-1]:
            for v in common:
                self.add(f"round {k} and {v}", self._round(k, v), is_equation=True)
        for k, g in enumerate(self.gradients):
            for v in common:
                defined = _together(_pair(g, v, ONE), _pair(k, v, _scaled(Fraction(-1), self.curvature)))
                self.add(f"gradient {k} and {v}", defined, is_equation=True)
        self.add(START, _pair(0, 0, _scaled(Fraction(-1), ONE)), constant=1)
        self._limit()
        gaps = [_pair(k, k, self.curvature) for k in self.states]
        gradients = [_pair(g, g, ONE) for g in self.gradients]
        last = self.states[-1]
        self.observe(gaps, gradients, _together(_pair(last, last, ONE), self._drawn()))

    def _round(self, k: int, v: int) -> Part:
        """<x_{k+1} - x_k + server_step times the mean of the clients' updates, v>."""
        step = self.setting.server_step
        found = _together(_pair(k + 1, v, ONE), _pair(k, v, _scaled(Fraction(-1), ONE)))
        found = _together(found, _pair(k, v, _scaled(step, self.moved)))
        if self.apart:
            found = _together(found, _pair(self.spread, v, _scaled(step, self.summed)))
        return found

    def _update(self, factor: Fraction) -> Part:
        """`factor` times the mean of the clients' ||update||^2 in round 0."""
        found = _pair(0, 0, _scaled(factor, _times(self.moved, self.moved)))
        if self.apart:
            b, both = self.spread, _times(self.moved, self.summed)
            found = _together(found, _pair(0, b, _scaled(2 * factor, both)))
            found = _together(found, _pair(b, b, _scaled(factor, _times(self.summed, self.summed))))
        return found

    def _drawn(self) -> Part:
        """What drawing a cohort adds to the squared distance: the spread of the updates around their mean."""
        share = self.setting.left_out
        if not share:
            return {}
        found = self._update(share * self.setting.server_step**2)
        for u, v, sign in ((1, 1, -1), (0, 1, 2), (0, 0, -1)):
            found = _together(found, _pair(u, v, _scaled(sign * share, ONE)))
        return found

    def _limit(self) -> None:
        """Limits on the mean squared spread of the gradients, at x* and at the states."""
        setting, b, minus = self.setting, self.spread, Fraction(-1)
        unit = setting.scale**2 * setting.squared_length
        at_minimizer = _pair(b, b, _scaled(minus, ONE)) if self.apart else {}
        crossed = _scaled(Fraction(-2), self.curvature)
        squared = _scaled(minus, _times(self.curvature, self.curvature))
        if setting.zeta_star:
            self.add("zeta_star at x*", at_minimizer, constant=setting.zeta_star**2 / unit)
        for name, level in setting.spread_limits.items():
            if self.apart:
                self.add(f"{name} at x*", at_minimizer, constant=level)
            for k, g in enumerate(self.gradients):
                found = _together(_pair(k, k, squared), _pair(g, g, ONE))
                if self.apart:
                    found = _together(_together(found, at_minimizer), _pair(k, b, crossed))
                self.add(f"{name} at x_{k}", found, constant=level)


def _pair(u: int, v: int, powers: Powers) -> Part:
    return {(min(u, v), max(u, v)): powers}


def _part(part: Part, factor: Fraction) -> Part:
    return {pair: _scaled(factor, powers) for pair, powers in part.items()}


def _together(first: Part, second: Part) -> Part:
    found = dict(first)
    for pair, powers in second.items():
        found[pair] = _plus(found.get(pair, ()), powers)
    return found


def _scaled(factor: Fraction | int, powers: Powers) -> Powers:
    return tuple(factor * a for a in powers)


def _plus(first: Powers, second: Powers) -> Powers:
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    return tuple(
        a + b for a, b in zip(longer, (*shorter, *(Fraction(0),) * (len(longer) - len(shorter))), strict=True)
    )


def _times(first: Powers, second: Powers) -> Powers:
    found = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            found[i + j] += a * b
    return tuple(found)
