"""VS Code's tools on a desktop without VS Code, and its settings files."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.apps.system.code import plain_json
from envs.contract.actions import ActionError
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


@pytest.mark.skipif(shutil.which("code") is not None, reason="VS Code is installed here")
async def test_each_command_says_that_vs_code_is_missing(user: DesktopUser) -> None:
    (user.home / "a").touch()
    extension = {"extension": "ms-python.python"}
    commands: dict[str, dict[str, str]] = {
        "launch_vscode": {}, "compare_files": {"file1": "a", "file2": "a"},
        "add_folder": {"folder": "Documents"}, "remove_folder": {"folder": "Documents"},
        "goto_file": {"file_path": "a"},
        "perform_merge": {"path1": "a", "path2": "a", "base": "a", "result": "b"},
        "install_extension": extension, "uninstall_extension": extension, "list_extensions": {},
        "update_extensions": {}, "disable_extension": extension, "toggle_sync": {"state": "on"},
    }  # fmt: skip
    assert len(commands) == 12
    for name, arguments in commands.items():
        with pytest.raises(ToolFailed, match="not installed here") as missing:
            await user.tool(f"code.{name}", **arguments)
        assert missing.value.error is ActionError.NOT_FOUND


async def test_an_extension_is_named_by_its_id(user: DesktopUser) -> None:
    for name in ("--user-data-dir=/tmp", "python", "a.b; rm -rf ~", ""):
        with pytest.raises(ToolFailed, match=r"publisher\.name"):
            await user.tool("code.install_extension", extension=name)


async def test_settings_keep_what_they_held(user: DesktopUser) -> None:
    file = user.home / ".config/Code/User/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // my font\n  "editor.fontSize": 14, /* big */\n  "x": "a // b, }",\n}\n')
    assert await user.tool("code.get_settings") == {"editor.fontSize": 14, "x": "a // b, }"}
    await user.tool("code.set_setting", key="files.autoSave", value="afterDelay")
    await user.tool("code.set_setting", key="editor.fontSize", value=None)
    assert json.loads(file.read_text()) == {"x": "a // b, }", "files.autoSave": "afterDelay"}
    file.write_text("[1]")
    with pytest.raises(ToolFailed, match="holds no dict"):
        await user.tool("code.set_setting", key="a", value=1)


async def test_a_key_binding_is_added_once(user: DesktopUser) -> None:
    for _ in range(2):
        await user.tool(
            "code.set_keybinding", key="ctrl+j", command="-list.focusDown", when="listFocus"
        )
    file = user.home / ".config/Code/User/keybindings.json"
    assert json.loads(file.read_text()) == [
        {"key": "ctrl+j", "command": "-list.focusDown", "when": "listFocus"}
    ]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_json_without_comments_stays_as_it_is(value: object) -> None:
    assert json.loads(plain_json(json.dumps(value, indent=2))) == value
    assert json.loads(plain_json("// top\n" + json.dumps(value) + " /* end */")) == value
