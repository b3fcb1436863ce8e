"""What the frameworks do beside the listings, as docs/frameworks says it: each runs where it is installed."""

import pytest

from verify import conform
from verify.conformance.frameworks import EXTRA, TARGETS

FIXED, DIFFERENCE = ("B.alg1.3", "fixed_size"), ("B.alg1.9.u", "not_divided_by_step")
IGNORED, SIZES = ("B.alg1.12.w", "ignored"), ("B.alg1.12.a", "data_sizes")
FOUND = {
    "flower:server": ("dp_fedavg", {FIXED, DIFFERENCE, IGNORED, SIZES}),
    "flower:client": ("dp_fedavg", {FIXED, DIFFERENCE, IGNORED, SIZES}),
    "flower:equal": ("dp_fedavg", {FIXED, DIFFERENCE, IGNORED}),
    "opacus:poisson": ("dpfl", {("C.alg1.9", "small_constant")}),
    "pfl:gaussian": ("dp_fedavg", {("B.alg1.3", "replacement"), DIFFERENCE}),
}


def test_every_adapter_has_a_test():
    assert FOUND.keys() == TARGETS.keys()


@pytest.mark.slow("runs a framework")
@pytest.mark.parametrize("target", FOUND)
def test_a_framework_differs_from_the_listing_where_its_page_says(target):
    package = TARGETS[target][2]
    pytest.importorskip(package, reason=f"{package} is not installed: {EXTRA}")
    like, expected = FOUND[target]
    found = conform(target, like=like)
    assert {(line.line.locator, line.observation.slip) for line in found.differing} == expected
