"""One spelling for each key, whoever names it."""

from __future__ import annotations

import pytest

from envs.contract.keys import canonical_key, chord


@pytest.mark.parametrize(
    ("named", "key"),
    [
        ("Return", "enter"), ("\n", "enter"), ("KP_Enter", "enter"), ("CTRL", "ctrl"),
        ("Super_L", "meta"), ("winleft", "meta"), ("CMD", "meta"), ("prtsc", "printscreen"),
        ("bracketleft", "["), ("KP_7", "7"), ("num7", "7"), ("ARROWUP", "arrowup"), ("A", "A"),
    ],
)  # fmt: skip
def test_names_of_xdotool_pyautogui_and_models_mean_one_key(named: str, key: str) -> None:
    assert canonical_key(named) == key


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("ctrl+shift+t", ("ctrl", "shift", "t")),
        ("Page_Down", ("pagedown",)),
        ("+", ("+",)),
        ("ctrl++", ("ctrl", "+")),
        ("ctrl+plus", ("ctrl", "+")),
    ],
)
def test_a_chord_is_split_at_its_plus_signs(text: str, keys: tuple[str, ...]) -> None:
    assert chord(text) == keys


@pytest.mark.parametrize("text", ["", "ctrl+", "+a", "a+++b"])
def test_what_is_no_chord_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has an empty key name"):
        chord(text)
