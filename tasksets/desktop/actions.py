"""The oracle's actions as JSON (see `envs.contract.actions`).

A target {"named", "role"?} stands for the element of that name, which the oracle looks up in the
observation (see `oracle`).
"""

from __future__ import annotations

from typing import Any

from tasksets.desktop.template import Json


def tool(name: str, /, **arguments: Any) -> Json:
    """A call of a tool by its name, such as "calc.save"."""
    return {"type": "tool", "name": name, "arguments": arguments}


def click(named: str, role: str | None = None) -> Json:
    """A click on the element of that name and role."""
    return {"type": "click", "target": {"named": named} | ({"role": role} if role else {})}


def key(*keys: str, repeat: int | None = None) -> Json:
    """A key or chord, pressed `repeat` times."""
    action: Json = {"type": "key", "keys": list(keys)}
    return action if repeat is None else action | {"repeat": repeat}


def type_text(text: str, submit: bool = False) -> Json:
    """Text typed where the focus is; `submit` presses Enter after it."""
    return {"type": "type", "text": text, "submit": submit}


def type_into(named: str, text: str, **options: bool) -> Json:
    """Text typed into the text box of that name; options: `clear` before, `submit` after."""
    return {"type": "type", "target": {"named": named, "role": "box"}, "text": text, **options}


def close_window(title: str) -> Json:
    """Closes a window through the window manager."""
    return {"type": "window", "op": "close", "window": title}


def wait(ms: int) -> Json:
    """A pause in milliseconds."""
    return {"type": "wait", "ms": ms}


def in_terminal(*lines: str) -> list[Json]:
    """A terminal that opens, runs these lines in Documents and closes."""
    text = "\n".join(("cd Documents", *lines, "exit"))
    terminal = {"type": "click", "target": {"named": "Terminal", "role": "terminal"}}
    return [key("ctrl", "alt", "t"), terminal, type_text(text, submit=True), wait(1500)]


def finish(answer: str | None = None) -> Json:
    """The end of the task, with the answer to a question."""
    return {"type": "done"} if answer is None else {"type": "done", "answer": answer}
