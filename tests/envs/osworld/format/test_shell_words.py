"""Which programs a command line runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.format.shell_words import programs


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["python", "-c", "import os; os.system('ls')"], {"python"}),
        (["/usr/bin/thunderbird"], {"thunderbird"}),
        (["/bin/bash", "-c", "cd /a && unzip -q b.zip | tee c"], {"bash", "cd", "unzip", "tee"}),
        (["VLC_VERBOSE=-1 vlc --no-audio '/a/b; c.mp3'"], {"vlc"}),
        (["echo {CLIENT_PASSWORD} | sudo -S apt-get install -y jq"], {"echo", "sudo", "apt-get"}),
        (["export A=b\ngsettings set a b > /tmp/c; ls"], {"export", "gsettings", "ls"}),
        (["if [ -f a ]; then jq . a; fi"], {"[", "jq", "fi"}),
        (["echo 'an open quote"], {"echo"}),
        ([""], set()),
    ],
)
def test_programs_of_a_line(words: list[str], expected: set[str]) -> None:
    assert programs(words, shell=False) == expected


@given(st.text())
def test_any_line_can_be_read(line: str) -> None:
    assert all("/" not in name for name in programs([line], shell=True))
