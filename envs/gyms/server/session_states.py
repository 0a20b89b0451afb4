"""Where the state of a session is: in the server's memory, or in an application of others.

Both are asked for here, so that nothing else has to tell them apart. Raises ApplicationFailed where
the application does not do what it should.
"""

from __future__ import annotations

from envs.contract.task import Task
from envs.gyms.server.gym import ApplicationFailed, ApplicationOwned, WebGym
from envs.gyms.server.registry import get_web_gym, web_gyms
from envs.gyms.server.sessions import GymSession, SessionStore


async def begin_session(store: SessionStore, key: str, gym: WebGym, task: Task) -> GymSession:
    """Creates the session, or resets it to the start of the task. Raises TooManySessions."""
    session = store.put(key, task, gym.initial_state(task), gym.initial_state(task))
    if isinstance(gym, ApplicationOwned):
        try:
            await gym.open_session(key, task)
        except ApplicationFailed:
            store.delete(key)
            raise
    return session


async def read_current_state(session: GymSession) -> None:
    """Brings the session's state up to date."""
    gym = get_web_gym(session.task.gym or "")
    if isinstance(gym, ApplicationOwned):
        session.state = await gym.read_state(session.key, session.state["log"])


async def copy_session(store: SessionStore, session: GymSession, key: str) -> GymSession:
    """Makes the session `key` equal to this one as it is now. Raises TooManySessions."""
    await read_current_state(session)
    twin = store.copy(session, key)
    gym = get_web_gym(session.task.gym or "")
    if isinstance(gym, ApplicationOwned):
        await gym.copy_session(session.key, key)
    return twin


def close_in_application(session: GymSession) -> None:
    """Tells the application of a session that is gone."""
    gym = web_gyms().get(session.task.gym or "")
    if isinstance(gym, ApplicationOwned):
        gym.close_session(session.key)


async def stop_applications() -> None:
    """Ends all that were started."""
    for gym in web_gyms().values():
        if isinstance(gym, ApplicationOwned):
            await gym.stop()
