"""Golden values by hand, and what holds for any load."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulation.events import (
    Ask,
    Batcher,
    Clock,
    Enter,
    Place,
    Process,
    Sleep,
    Station,
    Work,
)


def _work(clock: Clock, station: Station, seconds: float, ends: list[float]) -> Process:
    yield Work(station, seconds)
    ends.append(clock.now)


def _ask(clock: Clock, batcher: Batcher, after_s: float, ends: list[float]) -> Process:
    yield Sleep(after_s)
    yield Ask(batcher)
    ends.append(clock.now)


def test_one_server_works_in_the_order_of_arrival() -> None:
    clock, station, ends = Clock(), Station(1), list[float]()
    for seconds in (3.0, 1.0):
        clock.start(_work(clock, station, seconds, ends))
    clock.run(10)
    assert ends == [3.0, 4.0]
    assert station.queued_s == [0.0, 3.0]
    assert station.busy_s == 4.0


def test_turns_let_short_work_end_before_long_work() -> None:
    clock, station, ends = Clock(), Station(1, quantum_s=1.0), list[float]()
    for seconds in (3.0, 1.0):
        clock.start(_work(clock, station, seconds, ends))
    clock.run(10)
    # Turns: long, short, long, long.
    assert ends == [2.0, 4.0]


def test_a_place_lets_in_who_came_first() -> None:
    clock, place, entered = Clock(), Place(1), list[tuple[str, float]]()

    def stay(name: str) -> Process:
        yield Enter(place)
        entered.append((name, clock.now))
        yield Sleep(2.0)
        place.leave(clock)

    for name in "abc":
        clock.start(stay(name))
    clock.run(10)
    assert entered == [("a", 0.0), ("b", 2.0), ("c", 4.0)]
    assert place.waited_s == [0.0, 2.0, 4.0]
    assert place.inside == 0


def test_requests_in_a_batch_share_its_speed() -> None:
    # Alone a request takes 1 s, two together 2 s each. The first is half done when the second
    # comes; they share until the first ends 1 s later, then the second's other half takes 0.5 s.
    clock, ends = Clock(), list[float]()
    batcher = Batcher((1, 2), (1.0, 2.0), room=8)
    clock.start(_ask(clock, batcher, 0.0, ends))
    clock.start(_ask(clock, batcher, 0.5, ends))
    clock.run(10)
    assert ends == pytest.approx([1.5, 2.0])
    assert batcher.busy_s == pytest.approx(2.0)


def test_a_full_batch_lets_requests_wait() -> None:
    clock, ends = Clock(), list[float]()
    batcher = Batcher((1,), (1.0,), room=1)
    for _ in range(3):
        clock.start(_ask(clock, batcher, 0.0, ends))
    clock.run(10)
    assert ends == pytest.approx([1.0, 2.0, 3.0])


def test_waiting_for_ever_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="never happen"):
        Clock().run_while(lambda: True)


@given(
    st.integers(1, 4), st.lists(st.floats(0.0, 5.0), min_size=1, max_size=30), st.floats(0.1, 9.0)
)
def test_all_work_is_done_once_and_no_faster_than_the_servers(
    servers: int, works: list[float], quantum_s: float
) -> None:
    clock, station, ends = Clock(), Station(servers, quantum_s), list[float]()
    for seconds in works:
        clock.start(_work(clock, station, seconds, ends))
    clock.run(1000)
    assert len(ends) == len(works)
    assert station.busy_s == pytest.approx(sum(works))
    assert max(ends) >= max(max(works), sum(works) / servers) - 1e-6
    assert all(queued_s >= -1e-9 for queued_s in station.queued_s)


@given(st.lists(st.floats(0.0, 3.0), min_size=1, max_size=20), st.integers(1, 5))
def test_each_request_is_answered_once_and_none_before_its_time(
    arrivals: list[float], room: int
) -> None:
    clock, ends = Clock(), list[float]()
    batcher = Batcher((1, 4), (0.5, 0.8), room)
    for arrival in arrivals:
        clock.start(_ask(clock, batcher, arrival, ends))
    clock.run(1000)
    assert batcher.answered == len(ends) == len(arrivals)
    assert min(ends) >= min(arrivals) + 0.5 - 1e-6
