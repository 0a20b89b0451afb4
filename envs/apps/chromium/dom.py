"""Tools for the page in Chromium's front tab: read it, fill it in, click it.

Guarantees: what is read comes from the page's own tree, also outside the part that is shown; every
answer is bounded; a click is a mouse event that the page cannot tell from a person's.
"""

from __future__ import annotations

from typing import Any

from envs.apps.chromium.connection import Chromium, ProtocolError, chromium
from envs.apps.chromium.tabs import front, wait_loaded
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


MAX_TEXT, MAX_HITS, MAX_ELEMENTS, MAX_ROWS = 8000, 20, 100, 200

_TEXT = "() => document.body ? document.body.innerText : ''"
_ALL = "const matches = [...document.querySelectorAll(selector)];"
_SHOWN = "(e) => e.checkVisibility({visibilityProperty: true})"
_QUERY = (
    "(selector, names, limit) => {"
    + _ALL
    + """
  const read = (e) => {
    const row = {tag: e.localName, text: (e.innerText ?? e.textContent ?? '').trim().slice(0, 400)};
    if ('value' in e && e.localName !== 'li') row.value = String(e.value).slice(0, 400);
    if (e.type === 'checkbox' || e.type === 'radio') row.checked = e.checked;
    for (const name of names) row[name] = e.getAttribute(name);
    return row;
  };
  return {count: matches.length, elements: matches.slice(0, limit).map(read)};
}"""
)
_TABLE = """(index, limit) => {
  const tables = [...document.querySelectorAll('table')];
  const table = tables[index];
  const cells = (r) => [...r.cells].map((c) => c.innerText.trim());
  const rows = table ? [...table.rows].slice(0, limit).map(cells) : [];
  return {count: tables.length, of: table ? table.rows.length : 0, rows};
}"""
_LINKS = """(containing, limit) => [...document.querySelectorAll('a[href]')]
  .map((a) => ({text: a.innerText.trim().slice(0, 200), url: a.href}))
  .filter((l) => (l.text + ' ' + l.url).toLowerCase().includes(containing.toLowerCase()))
  .slice(0, limit)"""
_FORMS = """(limit) => {
  const path = (e) => {
    if (e.id) return '#' + CSS.escape(e.id);
    if (e.name) return `${e.localName}[name="${CSS.escape(e.name)}"]`;
    const parts = [];
    for (let n = e; n && n !== document.body; n = n.parentElement) {
      const same = [...n.parentElement.children].filter((c) => c.localName === n.localName);
      parts.unshift(same.length > 1 ? `${n.localName}:nth-of-type(${same.indexOf(n) + 1})`
        : n.localName);
    }
    return parts.join(' > ');
  };
  const read = (e) => {
    const row = {selector: path(e), type: e.type || e.localName, value: e.value,
      label: (e.labels?.[0]?.innerText || e.ariaLabel || e.placeholder || '').trim()};
    if (e.type === 'checkbox' || e.type === 'radio') row.checked = e.checked;
    if (e.type === 'password') row.value = e.value ? '(set)' : '';
    if (e.localName === 'select') row.options = [...e.options].map((o) => o.label).slice(0, 50);
    return row;
  };
  return [...document.querySelectorAll('input, select, textarea, button')]
    .filter((e) => e.type !== 'hidden').slice(0, limit).map(read);
}"""
_FILL = (
    "(selector, value) => {"
    + _ALL
    + """
  if (matches.length !== 1) return `${matches.length} elements match`;
  const e = matches[0];
  if (e.disabled || e.readOnly) return 'it cannot be changed';
  e.focus();
  const tell = () => {
    for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true}));
  };
  if (e.type === 'checkbox' || e.type === 'radio') {
    if (typeof value !== 'boolean') return 'a check box wants true or false';
    if (e.checked !== value) e.click();
    return e.checked === value ? '' : 'the page put it back';
  }
  if (e.localName === 'select') {
    const option = [...e.options].find((o) => o.label === value || o.value === value);
    if (!option) return 'there is no such option; there are: '
      + [...e.options].map((o) => o.label).join(', ').slice(0, 300);
    e.value = option.value;
    tell();
    return '';
  }
  if (e.isContentEditable) {
    e.textContent = String(value);
    tell();
    return '';
  }
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value')?.set;
  if (!setter || e.type === 'file') return `a ${e.localName} takes no text`;
  setter.call(e, String(value));
  tell();
  return e.value === String(value) ? '' : `it now holds ${JSON.stringify(e.value)}`;
}"""
)
_PLACE = (
    "(selector, index) => {"
    + _ALL
    + f"const shown = matches.filter({_SHOWN});"
    + """
  const e = shown[index];
  if (!e) return {count: shown.length};
  e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
  const box = e.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const top = document.elementFromPoint(x, y);
  const hit = top && (e === top || e.contains(top) || top.contains(e));
  return {x, y, over: hit ? '' : (top ? top.localName + ' ' + top.className : 'nothing')};
}"""
)


async def _page(desktop: Desktop) -> tuple[Chromium, str]:
    browser = await chromium(desktop)
    return browser, (await front(browser))["id"]


async def _run(desktop: Desktop, function: str, *values: Any) -> Any:
    """Raises ToolError for a selector that the page does not understand."""
    browser, target = await _page(desktop)
    try:
        return await browser.run(target, function, *values)
    except ProtocolError as error:
        raise ToolError(ActionError.BAD_VALUE, str(error)) from error


@TOOLS.tool("chromium.page_text", timeout_s=30)
async def page_text(desktop: Desktop, offset: int = 0) -> dict[str, Any]:
    """The text of the page in front, from a character on: text, of (characters in all)."""
    text: str = await _run(desktop, _TEXT)
    return {"text": text[max(offset, 0) :][:MAX_TEXT], "of": len(text)}


@TOOLS.tool("chromium.find_text", timeout_s=30)
async def find_text(desktop: Desktop, text: str) -> list[str]:
    """The lines of the page in front that contain a text, whatever its case."""
    lines = (await _run(desktop, _TEXT)).splitlines()
    hits = [" ".join(line.split()) for line in lines if text.lower() in line.lower()]
    if not hits:
        raise ToolError(ActionError.NOT_FOUND, f"{text[:60]!r} is not on this page")
    return hits[:MAX_HITS]


@TOOLS.tool("chromium.query", timeout_s=30)
async def query(
    desktop: Desktop, selector: str, attributes: list[str] | None = None
) -> dict[str, Any]:
    """Elements of the page in front that match a CSS selector: count, and of each its tag, text,
    value and the attributes asked for."""
    elements: dict[str, Any] = await _run(desktop, _QUERY, selector, attributes or [], MAX_ELEMENTS)
    return elements


@TOOLS.tool("chromium.read_table", timeout_s=30)
async def read_table(desktop: Desktop, index: int = 0) -> dict[str, Any]:
    """The rows of a table of the page in front; 0 is the first table."""
    table: dict[str, Any] = await _run(desktop, _TABLE, index, MAX_ROWS)
    if not 0 <= index < table["count"]:
        raise ToolError(ActionError.NOT_FOUND, f"this page has {table['count']} tables")
    return {"rows": table["rows"], "of": table["of"], "tables": table["count"]}


@TOOLS.tool("chromium.links", timeout_s=30)
async def links(desktop: Desktop, containing: str = "") -> list[dict[str, str]]:
    """Links of the page in front, text and url, whose text or url contains a text."""
    rows: list[dict[str, str]] = await _run(desktop, _LINKS, containing, MAX_ELEMENTS)
    return rows


@TOOLS.tool("chromium.form_fields", timeout_s=30)
async def form_fields(desktop: Desktop) -> list[dict[str, Any]]:
    """Fields and buttons of the page in front: selector, type, label, value, options."""
    fields: list[dict[str, Any]] = await _run(desktop, _FORMS, MAX_ELEMENTS)
    return fields


@TOOLS.tool("chromium.fill_form", timeout_s=30)
async def fill_form(desktop: Desktop, fields: dict[str, bool | str]) -> str:
    """Sets fields by CSS selector: a text, the label of an option, or true/false for a check box.
    Stops at the first that cannot be set."""
    for count, (selector, value) in enumerate(fields.items()):
        problem = await _run(desktop, _FILL, selector, value)
        if problem:
            message = f"{selector[:100]}: {problem}; {count} fields before it are set"
            raise ToolError(ActionError.BAD_VALUE, message)
    return f"{len(fields)} fields set"


@TOOLS.tool("chromium.click", timeout_s=30)
async def click(desktop: Desktop, selector: str, index: int = 0) -> dict[str, Any]:
    """Clicks the visible element that matches a CSS selector; `index` chooses among several.
    Answers with where the page is afterwards."""
    browser, target = await _page(desktop)
    place = await _run(desktop, _PLACE, selector, index)
    if "count" in place:
        message = f"{place['count']} visible elements match {selector[:100]!r}"
        raise ToolError(ActionError.NOT_FOUND, message)
    if place["over"]:
        raise ToolError(ActionError.BAD_VALUE, f"{selector[:100]!r} is covered by {place['over']}")
    for kind in ("mousePressed", "mouseReleased"):
        await browser.send(
            "Input.dispatchMouseEvent",
            target,
            type=kind,
            x=place["x"],
            y=place["y"],
            button="left",
            clickCount=1,
        )
    return await wait_loaded(browser, target)
