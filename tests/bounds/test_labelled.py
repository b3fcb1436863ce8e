"""Arrays in, labelled results out: a frame and a data set hold what `evaluate` gives at each point."""

from importlib import import_module

import numpy as np
import pytest

import bounds
from bounds.evaluation import labelled


@pytest.fixture(scope="module", autouse=True)
def tables() -> None:
    """Load them in the one process that runs this file, not in each that collects it."""
    pytest.importorskip("pandas", reason="the extra `tables` is not installed")
    pytest.importorskip("xarray", reason="the extra `tables` is not installed")


THEOREM = bounds.get("textbook.stochastic_gradient_descent")
STEPS, NOISES = np.array([2.0, 5.0, 9.0]), np.array([0.5, 1.0])
REST = {name: value for name, value in THEOREM.example.items() if name not in ("K", "sigma")}


def test_a_frame_has_a_row_for_each_point() -> None:
    frame = THEOREM.evaluate(K=STEPS[:, None], sigma=NOISES, **REST).to_frame()
    assert len(frame) == 6
    for row in frame.to_dict("records"):
        alone = THEOREM.evaluate(K=row["K"], sigma=row["sigma"], **REST)
        assert row["value"] == pytest.approx(alone.value, rel=1e-14)
        assert row["applicable"] == alone.applicable
        for name, value in alone.terms.items():
            assert row[f"term:{name}"] == pytest.approx(value, rel=1e-14)
        for checked in alone.conditions:
            assert row[f"margin:{checked.condition.id}"] == pytest.approx(checked.margin)


def test_an_input_that_varies_alone_is_an_axis() -> None:
    found = THEOREM.evaluate(K=STEPS[:, None], sigma=NOISES, **REST).to_xarray()
    assert found["value"].dims == ("K", "sigma")
    alone = THEOREM.evaluate(K=5, sigma=1, **REST)
    assert float(found["value"].sel(K=5, sigma=1)) == pytest.approx(alone.value, rel=1e-14)
    assert found["sigma"].attrs["units"] == "F/X"
    assert found["K"].attrs["meaning"] == THEOREM.notation.quantities["K"].meaning


def test_inputs_that_vary_together_share_an_axis() -> None:
    found = THEOREM.evaluate(K=STEPS[:2], sigma=NOISES, **REST).to_xarray()
    assert found["value"].dims == ("point_0",)
    assert found["K"].values.tolist() == [2, 5]
    assert THEOREM.evaluate(K=2, sigma=1, **REST).to_xarray()["value"].dims == ()


def test_without_the_extra_one_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(labelled, "import_module", missing)
    with pytest.raises(labelled.MissingTables, match=r"fedbounds\[tables\]"):
        THEOREM.evaluate(**THEOREM.example).to_frame()
    assert import_module("pandas")
