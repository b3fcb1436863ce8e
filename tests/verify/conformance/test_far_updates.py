"""A bound that long updates escape differs at its line, in every listing that bounds updates."""

import pytest
from slips_planted import function

from verify import conform
from verify.conformance.listing import Part

CLIP = "u * min(1.0, threshold / max(np.linalg.norm(u), 1e-300))"
NORMALIZE = "u * threshold / max(np.linalg.norm(u), 1e-300)"
POINT = "g / max(1.0, np.linalg.norm(g) / threshold)"
SMOOTH = "u / (alpha + np.linalg.norm(u))"
ESCAPES = {
    "dp_fedavg": (CLIP, f"({CLIP} if np.linalg.norm(u) < 1e6 * threshold else u)", "B.alg1.9.g", "escapes"),
    "dp_norm_fedavg": (
        NORMALIZE,
        f"({NORMALIZE} if np.linalg.norm(u) < 1e8 * threshold else u)",
        "B.alg2.9.g",
        "escapes",
    ),
    "dpfl": (POINT, f"({POINT} if np.linalg.norm(g) < 1e6 * threshold else g)", "C.alg1.9", None),
    "als_dpfl": (POINT, f"({POINT} if np.linalg.norm(g) < 1e6 * threshold else g)", "C.alg2.10", None),
    "fed_alpha_norm_ec": (SMOOTH, f"({SMOOTH} if np.linalg.norm(u) < 1e6 else u)", "A.alg1.6.n", None),
}


@pytest.mark.thinned(2)
@pytest.mark.parametrize("algorithm", ESCAPES)
def test_a_bound_that_long_updates_escape_differs(algorithm, tmp_path):
    old, new, line, slip = ESCAPES[algorithm]
    found = conform(function(tmp_path, algorithm, (old,), (new,)), like=algorithm)
    differing = {one.line.locator: one.observation.slip for one in found.differing}
    assert line in differing, differing
    assert differing[line] == slip


TRIED = {
    "dp_fedavg": "updates of 0.2 to 1e+09 times C were tried",
    "dp_norm_fedavg": "updates of 0.2 to 1e+09 times C were tried",
    "dpfl": "gradients of data points of 0.2 to 5e+09 times C were tried",
    "als_dpfl": "gradients of data points of 0.2 to 1e+10 times C were tried",
    "fed_alpha_norm_ec": "updates less memories of 0.0007 to 4e+09 times alpha were tried",
}


@pytest.mark.thinned(8)
@pytest.mark.parametrize("algorithm", TRIED)
def test_the_answer_says_which_lengths_were_tried(algorithm, tmp_path):
    found = conform(function(tmp_path, algorithm), like=algorithm)
    assert found.agrees
    (bound,) = (one for one in found.lines if one.line.part in (Part.BOUNDING, Part.CORRECTION))
    assert bound.observation.because.endswith(TRIED[algorithm])
