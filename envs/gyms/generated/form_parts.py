"""The inputs of forms in plain HTML, which families put into markup of their own."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.generated.screens import Control, Row
from envs.gyms.kit.html import el


def make_hidden_inputs(values: dict[str, str]) -> list[Markup]:
    """What a form sends besides its controls."""
    return [el("input", type="hidden", name=name, value=value) for name, value in values.items()]


def make_input(control: Control, label: str | None = None, placeholder: str = "") -> Markup:
    """The input of a text, a drop-down or a check box. `label`: its name where no element labels
    it."""
    if control.kind == "check":
        is_ticked = control.value == "yes"
        return el(
            "input",
            type="checkbox",
            name=control.name,
            value="yes",
            checked=is_ticked,
            aria_label=label,
        )
    if control.kind == "choice":
        options = [
            el("option", text, value=value, selected=value == control.value)
            for value, text in control.options
        ]
        return el("select", options, name=control.name, aria_label=label)
    return el(
        "input",
        name=control.name,
        value=control.value,
        aria_label=label,
        placeholder=placeholder or None,
        autocomplete="off",
    )


def make_radio(control: Control, value: str, label: str | None = None) -> Markup:
    """One of a control's radio buttons."""
    return el(
        "input",
        type="radio",
        name=control.name,
        value=value,
        checked=value == control.value,
        aria_label=label,
    )


def make_tick(row: Row) -> Markup | None:
    """The check box of a row that can be ticked."""
    if not row.tick:
        return None
    label = f"Select {row.name.text}"
    return el("input", type="checkbox", name=row.tick, value="yes", aria_label=label)
