"""A question: an algorithm, a class of problems, a start and an observable, in rational numbers."""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

GAP = "gap"
MEAN_GAP = "mean_gap"
SMALLEST_GAP = "min_gap"
DISTANCE = "squared_distance"
GRADIENT = "squared_gradient_norm"
SMALLEST_GRADIENT = "min_squared_gradient_norm"
CENTRAL = "squared_distance_to_central"  # of one round, to as many steps along the mean gradient
ALL_PAIRS = 40  # local steps up to which all pairs of points are compared: time grows as their 4th power
MEASURED_ROUNDS = 15  # of several quadratic clients: a matrix of so many rows, and time as the 6th power
OBSERVABLES = (GAP, MEAN_GAP, SMALLEST_GAP, DISTANCE, GRADIENT, SMALLEST_GRADIENT, CENTRAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemClass:
    """The problems, the start and what is measured; None means that nothing is assumed.

    The clients are L-smooth (or G-Lipschitz), and f_i - curvature/2 ||x||^2 is convex: curvature is 0 for
    convex clients, mu for strongly convex ones and -L without convexity. The run starts within D0 of a
    minimizer x* of F, or with F(x_0) - F* at most f0_gap; without convexity F* is the mean of the clients'
    infima.
    """

    clients: int
    L: Fraction | None = None
    G: Fraction | None = (
        None  # convex clients with subgradients of length at most G, in place of L-smooth ones
    )
    curvature: Fraction = Fraction(0)
    D0: Fraction | None = None
    f0_gap: Fraction | None = None
    zeta_star: Fraction | None = None  # mean of ||grad f_i(x*)||^2 <= zeta_star^2
    observable: str = GAP

    # What follows is so of a run without chance whose points are all compared; other runs say it again.
    @property
    def is_exact_class(self) -> bool:
        """Whether the program describes the class exactly."""
        return True

    @property
    def has_all_pairs(self) -> bool:
        """Whether the class is asked at every pair of points."""
        return True

    @property
    def follows_moments(self) -> bool:
        """Whether noise is followed over the whole run by its second moments."""
        return False

    @property
    def is_followed_in_rounds(self) -> bool:
        """Whether the program is that of one round of several."""
        return False

    @property
    def is_spectral(self) -> bool:
        """Whether the program is one of measures over the curvatures of quadratic clients."""
        return False

    @property
    def has_exact_noise(self) -> bool:
        """Whether the program describes the noise exactly; else the lower end is that of equal quadratics."""
        return not self.follows_moments and not self.is_followed_in_rounds

    @property
    def has_minimizer(self) -> bool:
        """Whether x* is a point of the program; without convexity only the clients' infima are."""
        return self.curvature >= 0

    @property
    def squared_length(self) -> Fraction:
        """The square of the unit of length in which the start is at 1; the unit of F is L times it."""
        if self.D0 is not None:
            return self.D0**2
        assert self.f0_gap is not None
        assert self.L is not None
        return self.f0_gap / self.L

    @property
    def scale(self) -> Fraction:
        """The unit of gradients over the unit of length: L, or G/D0 for clients that need not be smooth."""
        if self.L is not None:
            return self.L
        assert self.G is not None
        assert self.D0 is not None
        return self.G / self.D0

    @property
    def scaled_curvature(self) -> Fraction | None:
        """In the units of the program; None if the clients are only convex."""
        return None if self.G is not None else self.curvature / self.scale

    @property
    def unit(self) -> Fraction:
        """How much 1 of the scaled program is, of the observable."""
        power = {DISTANCE: 0, CENTRAL: 0, GRADIENT: 2, SMALLEST_GRADIENT: 2}.get(self.observable, 1)
        return self.scale**power * self.squared_length


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(ProblemClass):
    """Federated averaging on a class of problems."""

    local_steps: int
    rounds: int
    local_step: Fraction
    server_step: Fraction = Fraction(1)
    quadratic: bool = False  # every client is a quadratic function
    Delta_star: Fraction | None = None  # mean of f_i(x*) - inf f_i <= Delta_star
    zeta: Fraction | None = None  # mean of ||grad f_i - grad F||^2 <= zeta^2 at the server's iterates and x*
    xi: Fraction | None = None  # ||grad f_i - grad f_j|| <= xi there, for every two clients
    mu_1: Fraction | None = None  # ||grad f_i||^2 >= mu_1 (f_i - inf f_i) at the server's iterates
    cohort: int | None = None  # clients that take part in the one round, uniformly drawn
    sigma: Fraction | None = (
        None  # root of the total variance of each client's gradient noise; one local step
    )
    server_noise: Fraction | None = None  # root of the total variance of the noise on the server's state

    @property
    def gradients(self) -> int:
        """How many the run asks for that have a vector of their own in the program."""
        return self.rounds * self.local_steps

    @property
    def is_exact_class(self) -> bool:
        """A limit on the spread of gradients is asked at the points of the run alone, and may exclude more
        functions when it is asked everywhere.
        """
        return self.zeta is None and self.xi is None

    @property
    def has_all_pairs(self) -> bool:
        """A long run compares near points only, and its certified end may lie above the worst case. The
        conditions of quadratics come as one matrix.
        """
        followed = 1 if self.is_random and not self.follows_moments else self.rounds
        return self.quadratic or followed * self.local_steps <= ALL_PAIRS

    @property
    def spread_limits(self) -> dict[str, Fraction]:
        """Limits of the mean of ||grad f_i - grad F||^2, in units of the program, by what sets each.

        If gradients differ by at most 1 in pairs, the mean is largest for simplex directions: (n - 1)/(2 n).
        """
        found, unit = dict[str, Fraction](), self.scale**2 * self.squared_length
        if self.zeta is not None:
            found["zeta"] = self.zeta**2 / unit
        if self.xi is not None:
            found["xi"] = Fraction(self.clients - 1, 2 * self.clients) * self.xi**2 / unit
        return found

    @property
    def is_one_client(self) -> bool:
        """Whether quadratic clients act as one: alone, or with one step each along the mean Hessian."""
        everyone = self.cohort is None or self.cohort == self.clients
        return self.clients == 1 or (self.local_steps == 1 and everyone)

    @property
    def is_spectral(self) -> bool:
        is_long = self.rounds * self.local_steps > ALL_PAIRS
        is_small = self.is_one_client or self.rounds <= MEASURED_ROUNDS
        has_interior = self.D0 is not None and not self.alike
        return self.quadratic and is_long and is_small and has_interior and not self.follows_moments

    @property
    def alike(self) -> bool:
        """Whether the clients' gradients agree at every common point: a constraint of 0 has no interior."""
        return self.zeta == 0 or self.xi == 0

    @property
    def alike_at_minimizer(self) -> bool:
        return self.alike or self.zeta_star == 0 or self.Delta_star == 0 or self.clients == 1

    @property
    def is_random(self) -> bool:
        """Whether clients are drawn or noise is added: then the run is followed in the mean."""
        return bool(self.cohort is not None or self.sigma or self.server_noise)

    @property
    def follows_moments(self) -> bool:
        """The certified end may then lie above the worst case. A squared distance is followed round by round
        if each round has one local step.
        """
        return self.is_random and (self.observable != DISTANCE or (bool(self.sigma) and self.local_steps > 1))

    @property
    def is_followed_in_rounds(self) -> bool:
        return self.is_random and not self.follows_moments and self.rounds > 1

    @property
    def left_out(self) -> Fraction:
        """What drawing a cohort adds to the squared norm of the mean update, for a squared deviation of 1."""
        if self.cohort is None or self.clients == 1:
            return Fraction(0)
        return Fraction(self.clients - self.cohort, self.cohort * (self.clients - 1))
