"""What is read as a number on file, and when two of them agree."""

from typing import Any

import pytest

from bounds.errors import Misuse
from verify.json_numbers import (
    AGREEMENT,
    agree,
    agree_on_objects,
    close,
    decoded,
    differing,
    is_finite,
)

INF, NAN = float("inf"), float("nan")


def test_finite_numbers_are_read_as_they_are() -> None:
    text = '{"a": [1, -2.5, 1e300, 0.1], "b": {"c": null, "d": true, "e": "1e999"}}'
    assert decoded(text, "it", Misuse) == {
        "a": [1, -2.5, 1e300, 0.1],
        "b": {"c": None, "d": True, "e": "1e999"},
    }


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity", "9" * 400])
def test_other_numbers_are_refused_by_name(number: str) -> None:
    with pytest.raises(Misuse, match=rf"^it holds {number[:20]}.*, which is not a finite number$"):
        decoded(f'{{"a": [0, {number}]}}', "it", Misuse)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '{"b": [{"a": 1, "c": 2, "a": 3}]}'])
def test_a_key_twice_is_refused_wherever_it_stands(text: str) -> None:
    with pytest.raises(Misuse, match=r"^it gives a twice$"):
        decoded(text, "it", Misuse)


@pytest.mark.parametrize("text", ["", "{", "[" * 200_000, "9" * 5000])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(Misuse, match=r"^it is not valid JSON: "):
        decoded(text, "it", Misuse)


@pytest.mark.parametrize("number", [1.0, -3e-12, 1e300, 7])
def test_last_digits_may_differ_and_no_more(number: float) -> None:
    assert AGREEMENT <= 1e-8, "a share that a reader would see"
    for share, agrees in ((0.0, True), (5e-10, True), (2e-9, False), (1e-6, False), (1e-3, False)):
        assert close(number, number * (1 + share)) is agrees
        assert close(number * (1 + share), number) is agrees


@pytest.mark.parametrize("number", [INF, -INF, NAN, 10**400])
@pytest.mark.parametrize("other", [0.0, 1.0, -1e308])
def test_nothing_finite_is_close_to_what_is_not(number: float, other: float) -> None:
    assert not is_finite(number)
    assert not close(number, other)
    assert not close(other, number)


def test_an_infinity_is_close_to_itself_alone() -> None:
    assert close(INF, INF)
    assert not close(INF, -INF)
    assert not close(NAN, NAN)


@pytest.mark.parametrize(
    ("again", "kept"),
    [
        ([1.0, 2.0], [1.0]),
        ([1.0], [1.0, 2.0]),
        ([], [1.0]),
        ({"a": 1.0}, {"a": 1.0, "b": None}),
        ({"a": 1.0, "b": None}, {"a": 1.0}),
        ({"a": {}}, {"a": {"b": 1}}),
        (1.0, True),
        (0.0, False),
        (True, 1),
        (False, 0),
        (None, 0.0),
        (1.0, "1.0"),
        ("holds", "violated"),
        ([1.0], {"0": 1.0}),
    ],
)
def test_other_shapes_keys_and_kinds_do_not_agree(again: Any, kept: Any) -> None:
    assert agree(again, again)
    assert agree(kept, kept)
    assert not agree(again, kept)
    assert not agree({"x": [again]}, {"x": [kept]})


def test_what_differs_is_named_once_on_either_side() -> None:
    assert differing({"a": 1.0, "b": 2.0, "c": 3}, {"a": 1.0, "b": 2.1, "d": 4}) == ["b", "c", "d"]


def test_the_text_of_a_drawn_function_holds_numbers() -> None:
    """A matrix that is drawn as a product has other last digits under another kernel."""
    kept = {"f": "1/2 <x, H x> with H = ((1.8526179635710571, -7.98644403580774),)", "L": 2.5}
    near = kept | {"f": kept["f"].replace("1.8526179635710571", "1.852617963571057")}
    assert agree_on_objects(near, kept)
    assert not agree(near, kept)
    for other in (
        kept | {"f": kept["f"].replace("1.85", "1.86")},
        kept | {"f": kept["f"].replace("H x", "H y")},
        kept | {"f": kept["f"] + " + 1"},
        kept | {"L": 2.50001},
        {"f": kept["f"]},
    ):
        assert not agree_on_objects(other, kept)
        assert not agree_on_objects(kept, other)
