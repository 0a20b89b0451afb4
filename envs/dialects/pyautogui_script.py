"""Scripts that a model writes for pyautogui, read and never run.

A script is parsed with `ast` and may hold: imports of pyautogui, time and pyperclip, settings
(`pyautogui.PAUSE = 0.5`, ignored), strings standing alone, calls of functions of these modules with
literal arguments, and `with pyautogui.hold(...)`. Everything else (variables, loops, conditions,
other modules, attributes of results) is refused with the line it stands in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from envs.contract.actions import KeyDown, KeyUp, SimpleAction
from envs.contract.keys import canonical_key
from envs.dialects.dialect import Refused, make_unsupported
from envs.dialects.pyautogui_calls import Pointer

MAX_SCRIPT = 40_000
MODULES = frozenset({"pyautogui", "time", "pyperclip"})
_IGNORED = frozenset({"FAILSAFE", "PAUSE", "MINIMUM_DURATION", "MINIMUM_SLEEP"})
_TIMING = frozenset({"tween"})
"""Arguments that may be a function, as they are not read."""


def read_script(text: str, pointer: Pointer) -> list[SimpleAction]:
    """Actions of a script; `pointer` is where earlier ones left it. Raises Refused."""
    if len(text) > MAX_SCRIPT:
        raise Refused(f"a script of {len(text)} characters; at most {MAX_SCRIPT} are read")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        # The parser raises MemoryError for expressions nested too deeply.
        raise Refused(f"not a Python script: {str(error)[:80]}") from error
    return list(_Reader(pointer).block(tree.body))


class _Reader:
    def __init__(self, pointer: Pointer) -> None:
        self._pointer = pointer
        self._names = {module: module for module in MODULES}
        """What a name means: a module, or a function of one ("time.sleep")."""

    def block(self, statements: list[ast.stmt]) -> Iterator[SimpleAction]:
        for statement in statements:
            match statement:
                case ast.Import() | ast.ImportFrom():
                    self._learn(statement)
                case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                    pass
                case ast.Expr(value=ast.Call() as call):
                    yield from self._call(call)
                case ast.Assign(targets=[ast.Attribute(attr=name)]) if name in _IGNORED:
                    pass
                case ast.With(items=[ast.withitem(context_expr=ast.Call() as call)]):
                    yield from self._hold(call, statement.body)
                case _:
                    raise make_unsupported(
                        f"line {statement.lineno}: only calls of pyautogui, time and pyperclip "
                        "are carried out, no variables, loops or conditions"
                    )

    def _learn(self, statement: ast.Import | ast.ImportFrom) -> None:
        source = statement.module if isinstance(statement, ast.ImportFrom) else None
        for alias in statement.names:
            whole = alias.name if source is None else f"{source}.{alias.name}"
            if whole.split(".")[0] not in MODULES or alias.name == "*":
                raise make_unsupported(f"line {statement.lineno}: cannot import {whole[:60]}")
            self._names[alias.asname or alias.name] = whole

    def _function_name(self, function: ast.expr) -> str:
        """The function's name if it is one of a known module."""
        match function:
            case ast.Name(id=name):
                module, _, attribute = self._names.get(name, "").partition(".")
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                module = self._names.get(name, "")
            case _:
                module, attribute = "", ""
        if module not in MODULES or not attribute:
            raise make_unsupported(f"line {function.lineno}: only functions of pyautogui and time")
        if (module == "time" and attribute != "sleep") or (module == "pyperclip") != (
            attribute == "copy"
        ):
            raise make_unsupported(
                f"line {function.lineno}: {module}.{attribute[:40]} does nothing here"
            )
        return attribute

    def _call(self, call: ast.Call) -> list[SimpleAction]:
        name = self._function_name(call.func)
        args = [_literal(arg) for arg in call.args]
        kwargs = {
            keyword.arg or "**": None if keyword.arg in _TIMING else _literal(keyword.value)
            for keyword in call.keywords
        }
        try:
            return self._pointer.call(name, args, kwargs)
        except Refused as refused:
            message = f"line {call.lineno}: {refused}"
            raise Refused(message, refused.error) from refused

    def _hold(self, call: ast.Call, body: list[ast.stmt]) -> Iterator[SimpleAction]:
        if self._function_name(call.func) != "hold" or len(call.args) != 1:
            raise make_unsupported(f"line {call.lineno}: only `with pyautogui.hold(keys)`")
        value = _literal(call.args[0])
        names = value if isinstance(value, list | tuple) else [value]
        if not all(isinstance(name, str) for name in names):
            raise Refused(f"line {call.lineno}: hold needs names of keys")
        keys = [canonical_key(name) for name in names]
        for key in keys:
            yield KeyDown(key=key)
        yield from self.block(body)
        for key in reversed(keys):
            yield KeyUp(key=key)


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError, SyntaxError) as error:
        raise make_unsupported(f"line {node.lineno}: arguments have to be literals") from error
