"""Scripts as files of a server: versions, names, other file systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.store.scripts import ScriptFiles


@pytest.mark.parametrize("kind", ["folder", "memory"])
def test_each_save_is_a_version_of_its_own(tmp_path: Path, kind: str) -> None:
    scripts = ScriptFiles(str(tmp_path) if kind == "folder" else f"memory://{tmp_path.name}")
    assert scripts.list_newest() == []
    assert scripts.save("pay", {"a": 1}).version == 1
    assert scripts.save("pay", {"a": 2}).version == 2
    scripts.save("buy", {"a": 3})
    assert scripts.get("pay").body == {"a": 2, "version": 2}
    assert scripts.get("pay", 1).body["a"] == 1
    assert [(saved.name, saved.version) for saved in scripts.list_newest()] == [
        ("buy", 1),
        ("pay", 2),
    ]
    scripts.delete("pay")
    with pytest.raises(KeyError, match="no script 'pay'"):
        scripts.get("pay")
    with pytest.raises(KeyError, match="no script 'pay'"):
        scripts.delete("pay")


@pytest.mark.parametrize("name", ["../pay", "", "Pay", "a/b", ".x"])
def test_no_name_points_outside(tmp_path: Path, name: str) -> None:
    scripts = ScriptFiles(str(tmp_path))
    for act in (scripts.get, scripts.delete, lambda n: scripts.save(n, {})):
        with pytest.raises(KeyError, match="no script"):
            act(name)


def test_a_version_that_somebody_else_took_is_not_overwritten(tmp_path: Path) -> None:
    scripts = ScriptFiles(str(tmp_path))
    scripts.save("pay", {"a": 1})
    taken = tmp_path / "scripts" / "pay" / "v000002.json"
    taken.write_text('{"a": "theirs"}')
    assert scripts.save("pay", {"a": 3}).version == 3
    assert taken.read_text() == '{"a": "theirs"}'
    with pytest.raises(KeyError, match="no version 9 of script"):
        scripts.get("pay", 9)
