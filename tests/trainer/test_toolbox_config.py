"""Settings of a toolbox that cannot be are refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.config_file import ConfigError, load_config
from trainer.phases.tool_episodes import open_toolbox


def test_a_share_without_a_file_is_refused() -> None:
    with pytest.raises(ConfigError, match="share is above 0, but there is no file: set toolbox"):
        load_config(None, ["toolbox.share=0.2"])


def test_a_file_that_is_no_toolbox_is_named_before_anything_starts(tmp_path: Path) -> None:
    file = tmp_path / "box.py"
    file.write_text("x = 1")
    config = load_config(None, [f"toolbox.file={file}"])
    with pytest.raises(ConfigError, match=r"toolbox\.file: .*makes 0 toolboxes"):
        open_toolbox(config.toolbox)
