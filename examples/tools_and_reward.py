"""An environment of tools in one file: a pooled database, two tools, problems and a reward.

    .venv/bin/python examples/tools_and_reward.py       # three problems, by rule
    deskhand train --set toolbox.file=examples/tools_and_reward.py --set toolbox.share=0.3

docs/toolbox.md explains each part.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.tool_episode import make_tool_task, play
from agent_server.episodes.toolbox import Toolbox, ToolProblem
from agent_server.episodes.trajectory import Completion
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError

box = Toolbox("warehouse", resources=4, max_steps=6)


# 1. What tools work on. At most four are open; each episode has one to itself.
@box.resource
@asynccontextmanager
async def open_database() -> AsyncIterator[sqlite3.Connection]:
    """A database in memory."""
    database = sqlite3.connect(":memory:")
    database.execute("create table stock (item text primary key, count integer)")
    try:
        yield database
    finally:
        database.close()


# 2. Before each episode: the state that the problem describes.
@box.begin
async def fill(database: sqlite3.Connection, data: dict[str, int]) -> None:
    """Puts the problem's items on the shelves."""
    database.execute("delete from stock")
    database.executemany("insert into stock values (?, ?)", data.items())


# 3. Tools: typed, described by their docstring. What the policy did wrong is a ToolError.
@box.tool("stock")
async def count_stock(database: sqlite3.Connection, item: str) -> int:
    """How many of an item there are."""
    row = database.execute("select count from stock where item = ?", (item,)).fetchone()
    if row is None:
        raise ToolError(ActionError.TOOL_ARGUMENTS, f"there is no item {item!r}")
    return int(row[0])


@box.tool("order")
async def order(database: sqlite3.Connection, item: str, count: int) -> str:
    """Orders more of an item."""
    await count_stock(database, item)
    database.execute("update stock set count = count + ? where item = ?", (count, item))
    return "ordered"


# 4. Problems by seed.
@box.problem
def make(rng: random.Random) -> ToolProblem:
    """Order as many as are missing to ten."""
    data = {name: rng.randrange(1, 10) for name in ("bolts", "nuts", "pins")}
    item = rng.choice(list(data))
    question = f"Order {item} until there are 10, then answer with how many you ordered."
    return ToolProblem(question, data)


# 5. The reward: from the resource as it is now, and the answer.
@box.reward
async def score(database: sqlite3.Connection, data: dict[str, int], answer: str | None) -> float:
    """1 where one item stands at ten, the others as before, and the answer is right."""
    now = dict(database.execute("select item, count from stock"))
    changed = [item for item in data if now[item] != data[item]]
    is_right = len(changed) == 1 and now[changed[0]] == 10
    return float(is_right and answer == str(10 - data[changed[0]]))


class ByRule:
    """Stands for a policy: looks, orders, answers."""

    def __init__(self) -> None:
        self.answer = ""

    async def act(self, turn: Turn) -> Completion:
        """The next action, from the prompt alone."""
        item = turn.task.instruction.split(" ")[1]
        last = turn.prompt.splitlines()[-1]
        if last.startswith("got: ") and last != "got: ordered":
            self.answer = str(10 - int(last.removeprefix("got: ")))
            return Completion(text=f'tool order {{"item": "{item}", "count": {self.answer}}}')
        if last == "got: ordered":
            return Completion(text=f"done = {self.answer}")
        return Completion(text=f'tool stock {{"item": "{item}"}}')


async def main() -> None:
    """Plays three problems."""
    pool = box.make_pool()
    try:
        for seed in range(3):
            task = make_tool_task(box, box.make_problem(seed), seed)
            episode = await play(box, pool, task, ByRule(), Sampling())
            print(f"{task.instruction}  {len(episode.steps)} steps, reward {episode.score:g}")
    finally:
        await pool.close()


if __name__ == "__main__":
    asyncio.run(main())
