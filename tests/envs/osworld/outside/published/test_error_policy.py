"""Broken files score 0, broken rules are errors, and neither is taken for the other."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from envs.osworld.outside.published.error_policy import (
    BadRules,
    Unreadable,
    broken_scores_0,
    get_rule,
    require_one_of,
    unreadable_scores_0,
)
from envs.osworld.outside.published.word_text import compare_docx_files
from tests.envs.osworld.outside.published.made_documents import word


@broken_scores_0
def judged(result: Exception, *, option: int = 0) -> float:
    raise result


@pytest.mark.parametrize("error", [ValueError(), KeyError(), SyntaxError(), Unreadable()])
def test_a_broken_file_scores_nothing(error: Exception) -> None:
    assert judged(error) == 0


@pytest.mark.parametrize("error", [BadRules(), MemoryError(), FileNotFoundError()])
def test_other_faults_rise(error: Exception) -> None:
    with pytest.raises(type(error)):
        judged(error)


def test_wrong_arguments_are_wrong_rules() -> None:
    with pytest.raises(BadRules, match="missing"):
        judged()
    with pytest.raises(BadRules, match="unexpected"):
        judged(ValueError(), other=1)


def test_in_compat_only_what_does_not_open_scores_nothing() -> None:
    @unreadable_scores_0
    def scored(error: Exception) -> float:
        raise error

    assert scored(Unreadable()) == 0
    with pytest.raises(ValueError, match="another"):
        scored(ValueError("another"))


def test_rules_say_what_is_wrong_with_them() -> None:
    assert get_rule({"a": 1}, "a", int) == 1
    with pytest.raises(BadRules, match="no 'b'"):
        get_rule({"a": 1}, "b", int)
    with pytest.raises(BadRules, match="not str or list"):
        get_rule({"a": 1}, "a", str, list)
    with pytest.raises(BadRules, match="not one of x, y"):
        require_one_of("z", ("y", "x"), "kind")


def test_entities_of_a_document_do_not_grow(tmp_path: Path) -> None:
    """A billion of them would be three gigabytes of text."""
    gold, bomb = word(tmp_path / "gold.docx", "One"), tmp_path / "bomb.docx"
    levels = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' if n else '<!ENTITY e0 "lol">' for n in range(10)
    )
    with zipfile.ZipFile(gold) as old, zipfile.ZipFile(bomb, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/document.xml":
                head, _, rest = content.partition(b"?>")
                content = head + b"?><!DOCTYPE x [" + levels.encode() + b"]>" + rest
                content = content.replace(b"One", b"&e9;")
            new.writestr(name, content)
    assert compare_docx_files(bomb, gold) == 0
