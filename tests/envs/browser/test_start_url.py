"""Where sessions start and stay: on the sites that the host was told of, and on web pages."""

from __future__ import annotations

import asyncio

import pytest

from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.providers.local import local_host
from tests.envs.browser.shown import show
from tests.envs.browser.site import PAGES, Visitor
from tests.envs.browser.victim import running_victim

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize(
    "url", ["file:///etc/hostname", "view-source:http://127.0.0.1/", "chrome://version", "data:,x"]
)
async def test_a_task_that_names_no_page_is_refused_even_unvalidated(
    visitor: Visitor, url: str
) -> None:
    task = Task(id="t", instruction="look").model_copy(update={"start_url": url})
    with pytest.raises(EpisodeFault) as fault:
        await visitor.session.reset(task, Observe(text=True))
    assert fault.value.reason is InvalidReason.UNRUNNABLE
    await visitor.open("/plain")
    assert "Nothing but text" in visitor.tree


async def test_a_task_cannot_start_at_another_server_of_the_machine(visitor: Visitor) -> None:
    async with running_victim() as victim:
        task = Task(id="t", instruction="x", start_url=f"http://127.0.0.1:{victim.port}/pause")
        with pytest.raises(EpisodeFault, match="--site") as fault:
            await visitor.session.reset(task, Observe())
        assert fault.value.reason is InvalidReason.UNRUNNABLE
        await visitor.open("/plain")
        await visitor.do(type="navigate", url=f"http://127.0.0.1:{victim.port}/pause")
        assert not victim.hits


MADE_UP = """<button onclick="location = made()">Here</button>
<button onclick="window.open(made())">Beside</button><script>
  const made = () => URL.createObjectURL(new Blob(['<h1>made up'], {type: 'text/html'}));
</script>"""


async def test_what_a_script_made_up_is_left(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, MADE_UP)
    await visitor.do(Observe(windows=True), type="click", target=visitor.ref("Beside"))
    await visitor.do(type="click", target=visitor.ref("Here"))
    for _ in range(100):
        await visitor.do(Observe(windows=True), type="wait", ms=50)
        if visitor.observation.url == "about:blank":
            break
    assert visitor.observation.url == "about:blank"
    assert not any("blob:" in line for line in visitor.observation.windows)


async def test_a_hosts_page_cannot_post_to_another_port(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an agent meets it: a host of its own process, and a button that commands another one."""
    async with running_victim() as victim, local_host(with_gyms=False, sites=(site,)) as host:
        form = f"<form method=post action=http://127.0.0.1:{victim.port}/pause?mode=abort>"
        monkeypatch.setitem(PAGES, "/shown", f"<title>Form</title>{form}<button>Go</button></form>")
        session = await host.open()
        visitor = Visitor(session, site)
        await visitor.open("/shown")
        assert (await visitor.do(type="click", target=visitor.ref("Go"))).ok
        await asyncio.sleep(0)
        assert not victim.hits
        await session.close()
