"""Solutions of tasks on Impress's window and its auto-save."""

from __future__ import annotations

from collections.abc import Sequence

from tasksets.desktop.actions import click, finish, tool
from tasksets.desktop.template import Json

IMPRESS: dict[str, Sequence[Json]] = {
    "ef9d12bd-bcee-4ba0-a40e-918400f43ddf": [click("View"), click("Slide Pane"), finish()],
    "2cd43775-7085-45d8-89fa-9e35c0a915cf": [tool("impress.auto_save", minutes=3), finish()],
}
