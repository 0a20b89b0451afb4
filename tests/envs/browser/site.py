"""A few pages on a loopback port, and a browser session on them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from envs.browser.chromium import Browsers
from envs.browser.session import BrowserSession
from envs.contract.actions import Action, ActionResult, action_adapter
from envs.contract.observations import Observation, Observe, parse_tree
from envs.contract.task import Task
from tests.loopback_server import serve

FORM = """<title>Form</title>
<style>.far{display:block;margin-top:3000px}.hidden{display:none}</style>
<h1>A form</h1>
<label>Name <input id=name value="old" oninput="note('input')" onchange="note('change')"></label>
<label>Date <input type=date id=date></label>
<label>Color <select id=color onchange="note('color')"><option>Red<option>Dark blue</select></label>
<label><input type=checkbox id=agree> I agree</label>
<button onclick="note('saved ' + text('name'))">Save</button>
<button disabled>Never</button>
<button class=hidden>Ghost</button>
<a href="/plain">Plain page</a>
<p id=log></p>
<script>addEventListener('mouseup', (e) => { if (e.clientX == 60) note('up at 60'); });</script>
<div id=pane style="height:60px;overflow:auto"><div style="height:900px">Pane</div></div>
<div id=box style="width:120px;height:60px" onmouseover="note('over')">Hover me</div>
<a class=far href="/plain">Far below</a>
<script>
  const text = (id) => document.getElementById(id).value;
  const note = (text) => { document.getElementById('log').textContent += text + '; '; };
  pane.addEventListener('scroll', () => { pane.dataset.top = pane.scrollTop; });
</script>"""

CONFORMANCE = """<title>Conformance</title>
<style>body{margin:0} *{position:absolute} p{left:20px;top:600px}</style>
<input id=field style="left:100px;top:100px;width:300px;height:40px" aria-label="Field">
<button style="left:500px;top:100px;width:200px;height:40px">Press</button>
<div id=area style="left:100px;top:200px;width:600px;height:300px;background:#eee;overflow:auto">
<div style="width:10px;height:900px"></div></div>
<p id=log></p>
<script>
  const note = (...words) => { log.textContent += words.join(' ') + '; '; };
  const held = (e) => ['ctrl', 'shift', 'alt'].filter((key) => e[key + 'Key']);
  for (const kind of ['mousedown', 'mouseup', 'dblclick']) addEventListener(kind, (e) => {
    note(kind, e.button, `${e.clientX},${e.clientY}`, ...held(e));
    if (area.contains(e.target)) e.preventDefault(); });
  addEventListener('contextmenu', (e) => e.preventDefault());
  addEventListener('keydown', (e) => note('keydown', e.key, ...held(e)));
  area.addEventListener('scroll', () => note('scrolled', area.scrollTop > 0 ? 'down' : 'up'));
  field.addEventListener('change', () => note('value', field.value));
</script>"""
"""Tells every event of mouse and keyboard that it gets."""

PAGES = {
    "/form": FORM,
    "/conformance": CONFORMANCE,
    "/plain": "<title>Plain</title><p>Nothing but text.</p><a href=/form>To the form</a>",
    "/dialogs": """<title>Dialogs</title><p id=log></p>
        <button onclick="log.textContent = 'said ' + confirm('Really?')">Ask</button>""",
    "/traps": """<title>Traps</title>
        <button onclick="while (true) {}">Hang</button>
        <button onclick="this.remove()">Vanish</button>
        <div style="position:relative"><button>Covered</button>
        <div style="position:absolute;inset:0;background:#fff">Sheet</div></div>
        <button class=twin>Left</button><button class=twin>Right</button>""",
    "/late": """<title>Late</title><button onclick="go()">Load</button><p id=log></p>
        <script>const go = async () => {
          log.textContent = (await (await fetch('/slow')).text()) + ' came'; };</script>""",
    "/combobox": """<title>Tags</title><input role=combobox aria-label="New tag"
        oninput="document.title = this.value"><div role=combobox aria-label=Level>Low</div>""",
    "/drawn": """<title>Drawn</title><label id=size>Size</label>
        <div role=combobox id=shown tabindex=0 aria-labelledby="size shown">Large</div>
        <input name=size value=l style="position:absolute;opacity:0;pointer-events:none">
        <style>.box{position:relative;display:inline-block;width:20px;height:20px;background:red}
        .box input{position:absolute;inset:0;width:20px;height:20px;margin:0;opacity:0}</style>
        <label><span class=box><input type=checkbox></span>News</label>
        <div style="opacity:0"><input type=checkbox aria-label=Unseen></div>""",
    "/shadow": """<title>Shadow</title><div id=host></div><div role=combobox aria-label=Town>
        <input value=Lyon><div role=listbox><div role=option>Lille</div></div></div>
        <textarea role=combobox aria-label=Search>old</textarea>
        <script>host.attachShadow({mode: 'open'}).innerHTML =
          '<input type=checkbox aria-label=News style="opacity:0">';
        document.querySelector('textarea').value = 'new';</script>""",
    "/console": "<title>Console</title><script>console.log('hello', 7)</script>",
    "/table": """<title>Table</title><table><tr><th>Item<th>Price<tr><td>Bag<td>$12</table>""",
    "/long": "<title>Long</title>" + "".join(f"<button>Button {n}</button> " for n in range(60)),
    "/storage": """<title>Storage</title><p id=log></p><script>
        log.textContent = `${document.cookie}|${localStorage.getItem('k')}`;
        document.cookie = 'c=1'; localStorage.setItem('k', 'v');</script>""",
}

RECEIVED = """<title>Received</title><p>received COUNT<p><a href="/plain">On</a>
<button onclick="history.replaceState(null, '', '/kept')">Keep</button>"""
"""The answer to a form."""


@contextmanager
def serving() -> Iterator[str]:
    """Base URL of the pages."""
    slow = threading.Event()
    posts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGES.get(self.path)
            if self.path == "/slow":
                slow.wait(0.4)
                body = "the answer"
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((body or "nothing").encode())

        def do_POST(self) -> None:
            """Counts the forms; /led sends the browser on to a page, as most sites do, and
            browsers keep no copy of what ends in -unkept."""
            self.rfile.read(int(self.headers["Content-Length"]))
            posts.append(self.path)
            self.send_response(303 if self.path == "/led" else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Location", "/plain")
            if self.path.endswith("-unkept"):
                self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(RECEIVED.replace("COUNT", str(posts.count(self.path))).encode())

        def log_message(self, *_: Any) -> None:
            pass

    with serve(Handler) as base:
        try:
            yield base
        finally:
            slow.set()


class Visitor:
    """A session with words for what tests do."""

    def __init__(self, session: BrowserSession, base: str) -> None:
        self.session, self.base = session, base
        self.observation = Observation(hash="")

    async def open(self, path: str, observe: Observe | None = None) -> str:
        """Resets to a page; gives the reset_level."""
        task = Task(id=path, instruction="look", start_url=self.base + path)
        reply = await self.session.reset(task, observe or Observe())
        self.observation = reply.observation
        return reply.reset_level

    async def do(self, observe: Observe | None = None, **action: Any) -> ActionResult:
        made: Action = action_adapter.validate_python(action)
        reply = await self.session.step([made], observe or Observe())
        self.observation = reply.observation
        return reply.results[0]

    @property
    def tree(self) -> str:
        return "" if self.observation.tree is None else self.observation.tree.text

    def ref(self, name: str) -> dict[str, int]:
        (ref,) = [line.ref for line in parse_tree(self.tree) if line.name == name and line.ref]
        return {"ref": ref}

    async def run(self, script: str) -> Any:
        """In a world apart from the page's own scripts; both see the same document."""
        return await self.session.page.evaluate(script)

    async def field(self, name: str) -> str:
        value: str = await self.run(f"document.getElementById({name!r}).value")
        return value


@asynccontextmanager
async def visiting(base: str, browsers: Browsers) -> AsyncIterator[Visitor]:
    session = BrowserSession(browsers, None)
    try:
        yield Visitor(session, base)
    finally:
        await session.close()
