"""Limits of time on an author's functions: in another thread, and one inside another."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from synthetic.errors import AuthorMistake
from synthetic.outside.calls import call, limited


def test_a_function_that_hangs_in_another_thread_is_ended_there():
    """As in a worker of Dask. The limit of a call that has ended reaches no later one."""

    def hanging():
        while True:
            pass

    def spin(seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
        return 1

    def work():
        with limited(0.3):
            with pytest.raises(AuthorMistake, match=r"longer than 0\.3 seconds"):
                call("hanging", hanging)
            with limited(5.0):
                assert call("slow", spin, 0.5) == 1
            return [call("short", spin, 0.2) for _ in range(3)], spin(0.5)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result(timeout=30) == ([1, 1, 1], 1)


def test_a_limit_inside_a_limit():
    """An outer call does not age while an inner one, with a limit of its own, is at work."""

    def outer():
        with limited(5.0):
            call("inner", time.sleep, 0.5)
        return 1

    with limited(0.2):
        assert call("outer", outer) == 1
        with pytest.raises(AuthorMistake, match=r"longer than 0\.2 seconds"):
            call("outer", time.sleep, 5.0)
