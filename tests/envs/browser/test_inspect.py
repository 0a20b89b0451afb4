"""A page tells what it says, seen or not, and what actions would touch; nothing is done."""

from __future__ import annotations

import pytest

from envs.browser.chromium import Browsers
from envs.contract.actions import Click, Key, Target, Type, Wait
from envs.contract.page_facts import PageFacts
from tests.envs.browser import site as site_module
from tests.envs.browser.site import serving, visiting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
PAGE = """<!doctype html><title>Inspected</title><p>Plain <b>words</b> here.</p>
<div style="display:none">Not displayed at all</div>
<p style="color:#fff;background:#fff">White on white words</p>
<p style="font-size:1px">Very small words here</p>
<p style="position:absolute;left:-9000px">Far to the left</p>
<p style="opacity:0">Fully transparent words</p>
<div style="height:0;overflow:hidden">Cut off by a box</div>
<!-- a comment with words -->
<template><p>in a template, unseen</p></template>
<img src=x alt="words of an image text"><span aria-label="label of three words"></span>
<iframe srcdoc="<p>Words in a frame</p>"></iframe>
<form action="/sent?x=1" method=post><label>To <input id=to name=to value="ann@a.test"></label>
<input type=password name=p value=hush aria-label=Password><button id=go>Send <i>it</i></button>
</form><a href="/next" id=link><span>Next page</span></a>"""


@pytest.fixture
async def facts(monkeypatch: pytest.MonkeyPatch) -> PageFacts:
    monkeypatch.setitem(site_module.PAGES, "/inspected", PAGE)
    with serving() as base:
        browsers = Browsers(sites=(base,))
        try:
            async with visiting(base, browsers) as visitor:
                await visitor.open("/inspected")
                await visitor.do(type="click", target={"selector": "#to"})
                rect = "link.getBoundingClientRect()"
                box = await visitor.run(f"[{rect}.x + 5, {rect}.y + 5]")
                before = await visitor.run("document.documentElement.outerHTML + scrollY")
                seen = await visitor.session.inspect(
                    [
                        Click(target=visitor_target(visitor.ref("Send it"))),
                        Click(target=Target(x=box[0], y=box[1])),
                        Key(keys=("enter",)),
                        Type(text="x", target=Target(selector="#to")),
                        Wait(ms=1),
                        Click(target=Target(selector="#none")),
                    ]
                )
                after = await visitor.run("document.documentElement.outerHTML + scrollY")
                assert after == before
                return seen
        finally:
            await browsers.close()


def visitor_target(ref: dict[str, int]) -> Target:
    return Target(**ref)


async def test_the_page_is_read_and_what_actions_touch(facts: PageFacts) -> None:
    texts = {passage.text: passage.place for passage in facts.passages}
    assert texts["Plain words here."] == "visible"
    assert texts["Words in a frame"] == "visible"
    for hidden in (
        "Not displayed at all", "White on white words", "Very small words here", "Far to the left",
        "Fully transparent words", "Cut off by a box", "a comment with words",
        "in a template, unseen",
    ):  # fmt: skip
        assert texts[hidden] == "hidden", hidden
    assert texts["words of an image text"] == "attribute"
    assert texts["label of three words"] == "attribute"

    button, link, focused, field, waits, missing = facts.elements
    assert button is not None
    assert (button.name, button.is_submit) == ("Send it", True)
    assert button.form is not None
    assert button.form.action.endswith("/sent?x=1")
    assert (button.form.method, button.form.buttons) == ("post", ("Send it",))
    assert button.form.values == ("ann@a.test", "")
    assert link is not None
    assert link.href.endswith("/next")
    assert link.name == "Next page"
    assert focused is not None
    assert field is not None
    assert focused.name == field.name == "To"
    assert waits is None
    assert missing is None


CONTROLS = """<!doctype html><title>Controls</title><span id=l>Delete account</span>
<div id=labelled role=button tabindex=0 aria-labelledby=l>&#128465;</div>
<button id=hint title="Delete account">x</button>
<button id=both aria-label="Basket">Pay now</button>
<custom-button id=slot>Delete account</custom-button>
<button id=icon style="font-size:0">Delete account<custom-icon></custom-icon></button>
<button accesskey=d>Delete account</button>
<iframe srcdoc="<body style=margin:0><iframe srcdoc='<body style=margin:0><button autofocus
 style=width:99px;height:40px>Delete account</button>' style=border:0></iframe>"
 style="position:absolute;left:20px;top:200px;width:200px;height:100px;border:0"></iframe>
<script>
  const define = (name, html) => customElements.define(name, class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = html; }
  });
  define('custom-button', '<button><slot></slot></button>');
  define('custom-icon', '<div style="width:80px;height:30px"></div>');
</script>"""


async def test_a_control_is_known_by_what_a_person_sees_however_it_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(site_module.PAGES, "/controls", CONTROLS)
    with serving() as base:
        browsers = Browsers(sites=(base,))
        try:
            async with visiting(base, browsers) as visitor:
                await visitor.open("/controls")
                names = ("labelled", "hint", "both", "slot", "icon")
                middles = [
                    await visitor.run(
                        f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
                        f"({name}.getBoundingClientRect())"
                    )
                    for name in names
                ]
                points = [*middles, [40, 220]]
                clicks = [Click(target=Target(x=x, y=y)) for x, y in points]
                access = Key(keys=("Alt", "D"))
                seen = await visitor.session.inspect([*clicks, access])
                await visitor.do(type="click", target={"x": 40, "y": 220})
                focused = await visitor.session.inspect([Key(keys=("space",))])
        finally:
            await browsers.close()
    for element in (*seen.elements, *focused.elements):
        assert element is not None, [bool(known) for known in (*seen.elements, *focused.elements)]
        name = "Pay now" if element.name.startswith("Basket") else "Delete account"
        assert name in element.name
        assert element.is_button or element.tag == "custom-button"
