from __future__ import annotations

import time

from agent_server.episodes.control import NoControl, Orders, Steering


class Script:
    """Gives the orders one after the other, the last one for ever."""

    longest_pause_s = 60.0

    def __init__(self, *orders: Orders) -> None:
        self.orders = list(orders)

    async def read(self) -> Orders:
        return self.orders.pop(0) if len(self.orders) > 1 else self.orders[0]


async def test_nobody_s_episode_goes_on_at_once() -> None:
    steering = Steering(NoControl(), lambda: False)
    assert await steering.wait_while_paused()
    assert (steering.paused_s, steering.take()) == (0, ())


async def test_a_pause_lasts_until_it_is_lifted_and_is_counted() -> None:
    steering = Steering(Script(Orders(is_paused=True), Orders()), lambda: False)
    since = time.monotonic()
    assert await steering.wait_while_paused()
    assert 0.2 < steering.paused_s <= time.monotonic() - since
    assert not steering.is_worn_out


async def test_a_pause_that_lasts_too_long_is_worn_out() -> None:
    script = Script(Orders(is_paused=True))
    script.longest_pause_s = 0.3
    steering = Steering(script, lambda: False)
    assert await steering.wait_while_paused()
    assert steering.is_worn_out


async def test_a_paused_episode_can_be_cancelled() -> None:
    by_order = Steering(Script(Orders(is_paused=True), Orders(is_cancelled=True)), lambda: False)
    assert not await by_order.wait_while_paused()
    by_worker = Steering(Script(Orders(is_paused=True)), lambda: True)
    assert not await by_worker.wait_while_paused()


async def test_follow_ups_are_kept_until_they_are_taken() -> None:
    orders = (Orders(follow_ups=("a",)), Orders(is_paused=True, follow_ups=("b",)), Orders())
    steering = Steering(Script(*orders), lambda: False)
    await steering.look()
    assert await steering.wait_while_paused()
    assert steering.take() == ("a", "b")
    assert steering.take() == ()
