"""The variance proxy B in its printed forms, and the two parts that the utility corollaries split it into."""

from sympy import log

from bounds.papers.fed_norm_ec.notation import B_1, B_2, B, B_hat, M, c, delta, epsilon, p, sigma_DP
from bounds.statement import Definition, define

# The same number written twice; both forms are kept as printed.
MAIN_TEXT = 2 * (p - 1) ** 2 / p + 2 * (1 - p) + 2 * sigma_DP**2 / p
APPENDIX = 2 * p * (1 - 1 / p) ** 2 + 2 * (1 - p) + 2 * sigma_DP**2 / p


def main_text(locator: str) -> Definition:
    return define(B, MAIN_TEXT, locator=locator)


def appendix(locator: str) -> Definition:
    return define(B, APPENDIX, locator=locator)


def sampling_part(locator: str) -> Definition:
    return define(B_1, 2 * B_hat / M * ((1 - M / B_hat) ** 2 + M / B_hat - 1), locator=locator)


def noise_part(locator: str) -> Definition:
    return define(B_2, 2 * c**2 * B_hat / M * log(1 / delta) / epsilon**2, locator=locator)
