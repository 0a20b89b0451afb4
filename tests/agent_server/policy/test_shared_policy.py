"""Which server answers a turn, and what becomes of one that fails."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy import shared_policy
from agent_server.policy.shared_policy import SharedPolicy
from envs.contract.observations import Observation
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tests.agent_server.toy_env import toy_task

pytestmark = pytest.mark.timeout(60)

TURN = Turn(toy_task(), Observation(hash=""), "page: Home", Sampling())


@dataclass(eq=False)
class Server:
    """Answers its name once `free` is set, or fails."""

    name: str
    fault: InvalidReason | None = None
    turns: int = 0
    free: asyncio.Event = field(default_factory=asyncio.Event)

    async def act(self, turn: Turn) -> Completion:
        self.turns += 1
        if self.fault is not None:
            raise EpisodeFault(self.fault, self.name)
        await self.free.wait()
        return Completion(text=self.name)

    async def close(self) -> None:
        self.turns = -1


async def test_a_turn_goes_to_the_server_with_the_fewest_under_way() -> None:
    first, second = Server("first"), Server("second")
    policy = SharedPolicy([first, second])
    calls = [asyncio.create_task(policy.act(TURN)) for _ in range(6)]
    await asyncio.sleep(0)
    assert (first.turns, second.turns) == (3, 3)
    second.free.set()
    await asyncio.gather(*calls[1::2])
    calls += [asyncio.create_task(policy.act(TURN)) for _ in range(3)]
    await asyncio.sleep(0)
    assert (first.turns, second.turns) == (3, 6), "the first one has three under way still"
    first.free.set()
    texts = [(await call).text for call in calls]
    assert texts.count("first") == 3
    await policy.close()
    assert (first.turns, second.turns) == (-1, -1)


async def test_a_server_that_fails_is_passed_over_and_its_turn_is_asked_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dead, well = Server("dead", InvalidReason.POLICY_ERROR), Server("well")
    well.free.set()
    policy = SharedPolicy([dead, well])
    assert [(await policy.act(TURN)).text for _ in range(5)] == ["well"] * 5
    assert dead.turns == 1
    monkeypatch.setattr(shared_policy, "PASSED_OVER_S", -1.0)
    await policy.act(TURN)
    assert dead.turns == 2


async def test_what_all_servers_fail_is_a_fault_after_each_was_asked_once() -> None:
    servers = [Server(name, InvalidReason.POLICY_ERROR) for name in ("a", "b", "c")]
    with pytest.raises(EpisodeFault) as fault:
        await SharedPolicy(servers).act(TURN)
    assert fault.value.reason is InvalidReason.POLICY_ERROR
    assert [server.turns for server in servers] == [1, 1, 1]


@pytest.mark.parametrize(
    "reason",
    [InvalidReason.POLICY_TIMEOUT, InvalidReason.POLICY_REFUSED, InvalidReason.POLICY_DENIED],
)
async def test_a_refusal_or_a_timeout_is_not_asked_again(reason: InvalidReason) -> None:
    first, second = Server("first", reason), Server("second")
    with pytest.raises(EpisodeFault):
        await SharedPolicy([first, second]).act(TURN)
    assert second.turns == 0
