"""A browser for tests: HTML over real HTTP to the compact tree, and actions on it.

It speaks the subset that the gyms' pages use (links, forms, drop-downs, radio and check boxes,
`data-auto` forms, the `data-menu` button, dialogs) and shows the whole page as one viewport. What
real Chromium makes of the pages is tested with the marker `browser`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin

import httpx

from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Click,
    Done,
    Infeasible,
    Navigate,
    Scroll,
    SetValue,
    Target,
    Tool,
    Type,
)
from envs.contract.observations import Observation, Tree

VOID = {"input", "meta", "link", "br", "img", "hr"}
INLINE = {"span", "b", "i", "em", "strong", "small", "label", "html"}
SILENT = {"svg", "script", "style", "head", "option", "title"}
BUTTONS = {"submit", "button"}


@dataclass(eq=False)
class Node:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)
    parent: Node | None = None

    def text(self, skip: Node | None = None) -> str:
        parts = [
            child if isinstance(child, str) else "" if child is skip else child.text(skip)
            for child in self.children
        ]
        return "".join(parts)

    def find_all(self, *tags: str) -> list[Node]:
        matches = [self] if self.tag in tags else []
        for child in self.children:
            if isinstance(child, Node):
                matches += child.find_all(*tags)
        return matches

    def up(self, tag: str) -> Node | None:
        node: Node | None = self
        while node is not None and node.tag != tag:
            node = node.parent
        return node


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Node("document")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {key: value or "" for key, value in attrs}, parent=self.here)
        self.here.children.append(node)
        if tag not in VOID:
            self.here = node

    def handle_endtag(self, tag: str) -> None:
        opened = self.here.up(tag)
        if opened is not None and opened.parent is not None:
            self.here = opened.parent

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


def parse_html(text: str) -> Node:
    builder = _Builder()
    builder.feed(text)
    return builder.root


def role_of(node: Node) -> str | None:
    kind = node.attributes.get("type", "text")
    if node.tag == "input":
        if kind == "hidden":
            return None
        return {"checkbox": "check", "radio": "radio", "submit": "button"}.get(kind, "box")
    if node.tag == "a" and "href" in node.attributes:
        return "link"
    return {
        "button": "button",
        "summary": "button",
        "select": "select",
        "h1": "heading",
        "h2": "heading",
    }.get(node.tag)


def name_of(node: Node) -> str:
    if "aria-label" in node.attributes:
        return clean(node.attributes["aria-label"])
    label = node.up("label")
    if label is not None:
        return clean(label.text(skip=node))
    return clean(node.text())


def clean(text: str) -> str:
    return " ".join(text.split())


def chosen(select: Node) -> str:
    options = select.find_all("option")
    picked = [option for option in options if "selected" in option.attributes]
    return clean((picked or options)[0].text()) if options else ""


class Driver:
    """One page of one session. `client` carries the session cookie."""

    def __init__(self, client: httpx.Client, start: str) -> None:
        self.client, self.tree_id = client, 0
        self.most_options = 12
        self.refs: dict[int, Node] = {}
        self.posts: list[tuple[str, dict[str, str]]] = []
        self.url, self.root, self.status = start, Node("document"), 0
        self.open(start)

    def open(self, url: str) -> None:
        self._load(self.client.get(urljoin(self.url, url), follow_redirects=True))

    def _load(self, reply: httpx.Response) -> None:
        self.url, self.status, self.root = str(reply.url.raw_path, "ascii"), reply.status_code, (
            parse_html(reply.text)
        )  # fmt: skip
        assert reply.status_code < 500, reply.text

    def observe(self) -> Observation:
        self.tree_id += 1
        self.refs.clear()
        lines: list[str] = []
        words: list[str] = []

        def flush() -> None:
            text = clean("".join(words))
            words.clear()
            if text:
                lines.append(f"text {text}")

        def visit(node: Node) -> None:
            if node.tag in SILENT or "hidden" in node.attributes:
                return
            if node.tag == "dialog" and "open" not in node.attributes:
                return
            role = role_of(node)
            if role == "heading":
                flush()
                lines.append(f"heading {clean(node.text())}")
            elif role is not None:
                flush()
                ref = len(self.refs) + 1
                self.refs[ref] = node
                lines.append(f"{self._line(node, role)} #{ref}")
            else:
                is_label = node.tag == "label" and bool(node.find_all("input", "select"))
                if node.tag not in INLINE:
                    flush()
                for child in node.children:
                    if isinstance(child, Node):
                        visit(child)
                    elif not is_label:
                        words.append(child)
                if node.tag not in INLINE:
                    flush()

        dialogs = [node for node in self.root.find_all("dialog") if "open" in node.attributes]
        visit(dialogs[0] if dialogs else self.root)
        flush()
        title = clean(self.root.find_all("title")[0].text())
        tree = Tree(id=self.tree_id, text="\n".join(lines))
        return Observation(hash=str(hash(tree.text)), url=self.url, title=title, tree=tree)

    def _line(self, node: Node, role: str) -> str:
        line = clean(f"{role} {name_of(node)}")
        if role == "box" and node.attributes.get("value"):
            line += f" = {clean(node.attributes['value'])}"
        if role == "select":
            options = [clean(option.text()) for option in node.find_all("option")]
            line += f" = {chosen(node)}"
            if len(options) <= self.most_options:
                line += f" [{' | '.join(options)}]"
        if "checked" in node.attributes:
            line += " (checked)"
        if node.attributes.get("aria-expanded") == "true":
            line += " (open)"
        return line

    def act(self, action: Action) -> ActionResult:
        match action:
            case Done() | Infeasible() | Scroll():
                return ActionResult.success()
            case Navigate(url=url):
                self.open(url)
            case Click(target=Target(ref=int(ref))):
                self._click(self.refs[ref])
            case Type(target=Target(ref=int(ref)), text=text, submit=submit):
                self.refs[ref].attributes["value"] = text
                if submit:
                    self._submit(self.refs[ref])
            case SetValue(target=Target(ref=int(ref)), value=value):
                return self._set(self.refs[ref], value)
            case Tool(name="browser.fill_form", arguments={"fields": dict(fields)}):
                for ref, text in fields.items():
                    self.refs[int(ref)].attributes["value"] = text
            case _:
                return ActionResult.failure(ActionError.UNSUPPORTED, f"not here: {action.type}")
        return ActionResult.success()

    def _set(self, node: Node, value: str | bool | float) -> ActionResult:
        if node.tag == "select":
            options = {clean(option.text()): option for option in node.find_all("option")}
            if value not in options:
                return ActionResult.failure(ActionError.BAD_VALUE, f"no option {value}")
            for option in options.values():
                option.attributes.pop("selected", None)
            options[str(value)].attributes["selected"] = ""
        elif value is True:
            node.attributes["checked"] = ""
        else:
            node.attributes.pop("checked", None)
        form = node.up("form")
        if form is not None and "data-auto" in form.attributes:
            self._submit(node)
        elif form is not None and form.attributes.get("id") == "buy":
            self._clear_stock(form)
        return ActionResult.success()

    def _click(self, node: Node) -> None:
        if node.tag == "a":
            self.open(node.attributes["href"])
        elif node.tag == "input" and node.attributes["type"] != "submit":
            if node.attributes["type"] == "radio":
                for other in self.root.find_all("input"):
                    if other.attributes.get("name") == node.attributes["name"]:
                        other.attributes.pop("checked", None)
            is_ticked = node.attributes["type"] == "checkbox" and "checked" in node.attributes
            self._set(node, not is_ticked)
        elif "data-menu" in node.attributes:
            menu = next(
                entry
                for entry in self.root.find_all("nav")
                if entry.attributes.get("id") == node.attributes["data-menu"]
            )
            opened = menu.attributes.pop("hidden", None) is not None
            if not opened:
                menu.attributes["hidden"] = ""
            node.attributes["aria-expanded"] = str(opened).lower()
        elif node.tag == "summary":
            pass  # what it hides is shown all the time
        elif "data-dialog" in node.attributes:
            for dialog in self.root.find_all("dialog"):
                if dialog.attributes.get("id") == node.attributes["data-dialog"]:
                    dialog.attributes["open"] = ""
        elif node.attributes.get("type", "submit") == "submit":
            self._submit(node)

    def _clear_stock(self, form: Node) -> None:
        for node in form.find_all("p"):
            if node.attributes.get("id") == "stock":
                node.children = [""]

    def _fields(self, form: Node) -> dict[str, str]:
        fields: dict[str, str] = {}
        for node in form.find_all("input", "select"):
            name, kind = node.attributes.get("name", ""), node.attributes.get("type", "text")
            if node.tag == "select":
                picked = [o for o in node.find_all("option") if clean(o.text()) == chosen(node)]
                fields[name] = picked[0].attributes.get("value", chosen(node)) if picked else ""
            elif kind not in ("radio", "checkbox") or "checked" in node.attributes:
                fields[name] = node.attributes.get("value", "")
        return fields

    def _submit(self, node: Node) -> None:
        form = node.up("form")
        assert form is not None, "a button outside a form"
        fields, action = self._fields(form), form.attributes["action"]
        if form.attributes.get("method") == "post":
            self.posts.append((action, fields))
            self._load(
                self.client.post(urljoin(self.url, action), data=fields, follow_redirects=True)
            )
        else:
            self.open(f"{action}?{urlencode(fields)}")
