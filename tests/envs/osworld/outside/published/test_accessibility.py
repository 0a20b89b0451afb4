"""The metric of the accessibility tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.accessibility import (
    check_accessibility_tree,
    check_accessibility_tree_compat,
)


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_the_accessibility_tree() -> None:
    tree = '<a><b name="x">Mail</b><b name="y">Mails</b></a>'
    assert check_accessibility_tree(tree, [{"selectors": ["b[name=x]"]}]) == 1
    assert check_accessibility_tree(tree, [{"xpath": "//b[@name='z']"}]) == 0
    text = [{"selectors": ["b"], "text": "Mails"}]
    assert check_accessibility_tree(tree, text) == 1
    with pytest.raises(KeyError):
        check_accessibility_tree_compat(tree, text)
    near = [{"selectors": ["b[name=x]"], "text": "Mall", "exact": False}]
    assert check_accessibility_tree(tree, near) == pytest.approx(0.75)
    assert check_accessibility_tree("Failed", [{"selectors": ["b"]}]) == 0
    with pytest.raises(ValueError, match="selects nothing"):
        check_accessibility_tree(tree, [{"xpath": "//["}])


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = file(tmp_path, "secret")
    tree = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><a>&e;</a>'
    assert check_accessibility_tree(tree, [{"xpath": "//a[contains(., 'secret')]"}]) == 0
