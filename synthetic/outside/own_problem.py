"""A problem from an author's own functions, with the constants that the author states."""

import math
from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from synthetic.arguments import index_below, integer_at_least, positive
from synthetic.certified.facts import (
    Constant,
    Facts,
    certified_lower,
    certified_upper,
    exactly,
    lojasiewicz_of,
)
from synthetic.engine.arithmetic import Array, as_numbers, namespace
from synthetic.errors import BadShape, BadValue, UnknownMinimum
from synthetic.outside.author_functions import AuthorFunctions
from synthetic.outside.calls import SECONDS, limited
from synthetic.outside.claims import Given, check_constants
from synthetic.outside.derived import derive_constants
from synthetic.problem import mean_gradient, mean_value, per_client


@final
class OwnProblem:
    """n clients on R^d: value(i, x) and gradient(i, x) are those of client i at a point x of shape (d,).

    With `batched` x is (R, d), a value (R,) and a gradient (R, d). What is stated of the functions
    (minimizer, minimum, constants by `given_at_most` and `given_at_least`, properties) is compared with their
    values before the first use: a claim that they contradict is refused. What passes is given, not proved.
    """

    exact = False

    def __init__(
        self,
        *,
        clients: int,
        dimension: int,
        value: Callable[..., Any],
        gradient: Callable[..., Any],
        minimizer: object = None,
        minimum: float | None = None,
        constants: Mapping[str, Constant] | None = None,
        convex: bool = False,
        quadratic: bool = False,
        bounded_below: bool = False,
        batched: bool = False,
        seconds: float = SECONDS,
    ) -> None:
        integer_at_least("clients", clients, 1)
        integer_at_least("dimension", dimension, 1)
        positive("seconds", seconds)
        properties = {"convex": convex, "quadratic": quadratic, "bounded_below": bounded_below}
        _check_truth_values({**properties, "batched": batched})
        self.clients, self.dimension = clients, dimension
        self.stated, self.properties = dict(constants or {}), properties
        check_constants(self.stated, clients)
        self.stated_minimizer = None if minimizer is None else _point(minimizer, dimension)
        self.stated_minimum = None if minimum is None else _number(minimum)
        self._followed: dict[str, Constant] | None = None
        self._functions = AuthorFunctions(dimension, value, gradient, batched=batched, seconds=seconds)
        from synthetic.outside.contradictions import refuse_false_claims  # it reads the problem that is made

        with limited(seconds), np.errstate(all="ignore"):  # what overflows far away says nothing
            refuse_false_claims(self)

    def client_value(self, client: int, points: Array) -> Array:
        index_below("client", client, self.clients)
        return self._as_asked(points, lambda rows: self._functions.values(client, rows))

    def client_gradient(self, client: int, points: Array) -> Array:
        index_below("client", client, self.clients)
        return self._as_asked(points, lambda rows: self._functions.gradients(client, rows))

    def client_values(self, points: Array) -> Array:
        return self._as_asked(points, lambda rows: self._apply_to_all(self._functions.values, rows))

    def client_gradients(self, points: Array) -> Array:
        return self._as_asked(points, lambda rows: self._apply_to_all(self._functions.gradients, rows))

    def value(self, points: Array) -> Array:
        return mean_value(self, points)

    def gradient(self, points: Array) -> Array:
        return mean_gradient(self, points)

    def minimiser(self) -> Array:
        if self.stated_minimizer is None:
            raise _unknown("minimizer")
        return self.stated_minimizer

    def minimum(self) -> float:
        if self.stated_minimum is not None:
            return self.stated_minimum
        if self.stated_minimizer is None:
            raise _unknown("minimum")
        return float(self.value(self.stated_minimizer[None])[0])

    def constants(self) -> dict[str, Constant | None]:
        """The stated constants, what follows from them, and the minimum and minimizer, all of them given."""
        known: dict[str, Constant | None] = {**self.stated, **self._derived()}
        if self.stated_minimum is not None or self.stated_minimizer is not None:
            known["minimum"] = _given(self.minimum())
        if self.stated_minimizer is not None:
            known["minimiser"] = _given(tuple(self.stated_minimizer.tolist()))
        return known

    def _derived(self) -> dict[str, Constant]:
        if self._followed is None:
            there = (
                None if self.stated_minimizer is None else self.client_gradients(self.stated_minimizer[None])
            )
            self._followed = derive_constants(
                self.stated,
                None if there is None else there[:, 0],
                quadratic=self.properties["quadratic"],
            )
        return self._followed

    def facts(self) -> Facts:
        """The given facts; smoothness is infinite, and strong convexity 0, if nothing is stated."""
        stated = self.stated
        largest = _worst(stated.get("smoothness", stated.get("client_smoothness")), max, math.inf)
        strong = stated.get("client_strong_convexity")
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=self.properties["convex"],
            quadratic=self.properties["quadratic"],
            smoothness=largest,
            strong_convexity=max(0.0, _worst(stated.get("strong_convexity", strong), min, 0.0)),
            lipschitz=_worst(stated.get("lipschitz", stated.get("client_lipschitz")), max, None),
            bounded_below=self.properties["bounded_below"],
            bounded_gradient_divergence="gradient_divergence" in stated,
            minimum_attained=self.stated_minimizer is not None,
            lojasiewicz=None if strong is None else lojasiewicz_of(strong),
        )

    def given_facts(self) -> tuple[Given, ...]:
        """Every fact that rests on the author's word."""
        own = [Given(name=name, claim="True", because="") for name, holds in self.properties.items() if holds]
        if self.stated_minimizer is not None:
            own.append(
                Given(name="minimiser", claim=f"attained at {_short(self.stated_minimizer)}", because="")
            )
        if self.stated_minimum is not None:
            own.append(Given(name="minimum", claim=f"= {self.stated_minimum:g}", because=""))
        for name, constant in self.stated.items():
            sign = ">=" if constant.upper is None else "<="
            own.append(Given(name=name, claim=f"{sign} {_short(constant.value)}", because=constant.because))
        return tuple(own)

    def point_gradient(self, client: int, point: Array) -> Array:
        """The gradient of one client at a single point (d,)."""
        index_below("client", client, self.clients)
        return self._functions.gradient(client, point)

    def _as_asked(self, points: Array, answer: Callable[[Array], Array]) -> Array:
        """The answer for numpy rows, as an array of the kind that asks: numpy or torch."""
        if namespace(points) is np:
            return answer(points)
        tensor: Any = points
        return namespace(points).as_tensor(answer(tensor.detach().cpu().numpy()), device=tensor.device)

    def _apply_to_all(self, function: Callable[[int, Array], Array], points: Array) -> Array:
        rows = per_client(points, self.clients, self.dimension)
        shared = rows.shape[0] == 1
        return np.stack([function(i, rows[0 if shared else i]) for i in range(self.clients)])


def given_facts(problem: Any) -> tuple[Given, ...]:
    """The facts of a problem that rest on an author's word; our own problems have no such fact."""
    return problem.given_facts() if isinstance(problem, OwnProblem) else ()


def _worst(constant: Constant | None, choose: Callable[[Any], Any], otherwise: Any) -> Any:
    if constant is None:
        return otherwise
    bound = certified_upper("a claim", constant) if choose is max else certified_lower("a claim", constant)
    return choose(bound) if isinstance(bound, tuple) else bound


def _given(value: Any) -> Constant:
    known = exactly(value)
    return Constant(value=value, lower=known.lower, upper=known.upper, provenance="given")


def _short(value: Any) -> str:
    entries = np.atleast_1d(np.asarray(value, dtype=np.float64))
    shown = ", ".join(f"{entry:g}" for entry in entries[:4])
    return shown + (", ..." if len(entries) > 4 else "")


def _check_truth_values(given: Mapping[str, object]) -> None:
    for name, value in given.items():
        if not isinstance(value, bool):
            raise BadValue(
                asked=name,
                failed="not a truth value",
                found=repr(value),
                needed="True or False",
                change="write one",
            )


def _point(given: object, dimension: int) -> Array:
    point = as_numbers(given, exact=False)
    if point.shape != (dimension,):
        raise BadShape(
            asked="minimizer",
            failed="wrong shape",
            found=point.shape,
            needed=f"({dimension},)",
            change="give one number for each coordinate",
        )
    return point


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | np.floating | np.integer):
        number = math.nan
    else:
        number = float(given)
    if not math.isfinite(number):
        raise BadValue(
            asked="minimum", failed="not a finite number", found=repr(given), needed="one", change="give it"
        )
    return number


def _unknown(name: str) -> UnknownMinimum:
    return UnknownMinimum(
        asked=name,
        failed="the author of the problem does not state it",
        found="nothing",
        needed=f"{name}=...",
        change=f"state {name}=... in OwnProblem, or observe what needs none, such as gradient_norm",
    )
