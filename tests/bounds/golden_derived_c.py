"""More points for golden.py: the bound that section 8 of the als_dpfl transcription derives.

Typed by hand from the derivation in docs/amended/als_dpfl.md, with no line in common with the program.
`python golden_derived_c.py` prints everything.
"""

from typed_points import root, show


def best_aggregation(q):
    """lambda is the larger root of Q lambda^2 = lambda + A; its parts, then what an interval adds."""
    s = q.C / q.B * root(q.B + q.sigma**2 * q.d)
    nu = q.beta * q.eta**2 * s**2 / (2 * q.N)
    h = q.eta**2 * q.beta / 4 * (q.tau - 1) * (q.xi * q.tau + s * root(2 * q.tau))
    far = q.D0 + (q.K - 1) * h
    Q = 1 / q.f0_gap + q.K * q.tau * q.eta * (1 - q.beta * q.eta / 2) / far**2
    A = q.K * (q.tau * nu + q.rho * h)
    level = (1 + root(1 + 4 * A * Q)) / (2 * Q)
    # level - 1/Q is 0 without errors, and is shared as A is
    share = (level - 1 / Q) / A
    terms = {
        "initialization": 1 / Q,
        "noise": share * q.K * q.tau * nu + (q.tau - 1) * nu,
        "drift": share * q.K * q.rho * h + q.rho * h,
    }
    return terms, {}, [(q.eta, "<=", 1 / q.beta), (q.C, ">=", q.G_s)]


POINTS = {
    "C.derived.best": (
        best_aggregation,
        [
            dict(K=100, tau=2, eta=0.05, beta=1, rho=1, d=4, xi=0.1, C=1, G_s=1, B=100, sigma=2, N=10, f0_gap=1,
                 D0=2),
            dict(K=7, tau=1, eta=0.5, beta=2, rho=3, d=30, xi=0.7, C=4, G_s=3, B=12, sigma=1.5, N=3, f0_gap=2.5,
                 D0=1.25),
            dict(K=40, tau=25, eta=0.003, beta=5, rho=4, d=1, xi=2, C=6, G_s=7, B=1, sigma=0.25, N=200, f0_gap=0.7,
                 D0=3),
        ],
    ),
}  # fmt: skip


if __name__ == "__main__":
    show(POINTS)
