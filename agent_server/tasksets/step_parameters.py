"""Parameters of OSWorld's setup steps, as far as they are checked in task files.

Unknown parameters are allowed. A number or truth value may be written as a string, as some task
files do.
"""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from envs.osworld.inside.steps.programs import MAX_SLEEP_S


def _command(value: Any) -> Any:
    """A union would put its members' names into the path of an error."""
    words = value if isinstance(value, list) else [value]
    if not words or not all(isinstance(word, str) for word in words) or not words[0]:
        raise ValueError("a command is a string or a list of strings, and not empty")
    return value


def _fetchable(url: str) -> str:
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise ValueError(f"{url[:200]!r} is not an http:// or https:// address")
    return url


Command = Annotated[Any, AfterValidator(_command)]
Url = Annotated[str, AfterValidator(_fetchable)]
Path = Annotated[str, Field(min_length=1, max_length=4096)]


class _Parameters(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class DownloadedFile(_Parameters):
    """A file to fetch into the environment."""

    url: Url
    path: Path


class Download(_Parameters):
    """Parameters of `download`."""

    files: list[DownloadedFile]


class UploadedFile(_Parameters):
    """A file to copy into the environment."""

    local_path: Path
    path: Path


class UploadFile(_Parameters):
    """Parameters of `upload_file`."""

    files: list[UploadedFile]


class Launch(_Parameters):
    """Parameters of `launch`."""

    command: Command
    shell: bool = False


class Until(_Parameters):
    """When `execute` stops repeating its command."""

    returncode: int | None = None
    stdout: str | None = None
    stderr: str | None = None


class Execute(Launch):
    """Parameters of `execute` and `command`."""

    stdout: str = ""
    stderr: str = ""
    until: Until | None = None


class Verification(_Parameters):
    """What has to hold after `execute_with_verification`."""

    window_exists: str | None = None
    command_success: str | None = None


class ExecuteWithVerification(Launch):
    """Parameters of `execute_with_verification`; times in seconds."""

    verification: Verification
    max_wait_time: float = Field(10.0, ge=0, le=300)
    check_interval: float = Field(1.0, ge=0.05, le=60)


class OnePath(_Parameters):
    """Parameters of steps with one path."""

    path: Path


class Window(_Parameters):
    """Parameters of steps on a window."""

    window_name: str = Field(min_length=1)
    strict: bool = False
    by_class: bool = False


class Sleep(_Parameters):
    """Parameters of `sleep`."""

    seconds: float = Field(ge=0, le=MAX_SLEEP_S)


class OpenTabs(_Parameters):
    """Parameters of `chrome_open_tabs`."""

    urls_to_open: list[str]


class CloseTabs(_Parameters):
    """Parameters of `chrome_close_tabs`."""

    urls_to_close: list[str]


class Visit(_Parameters):
    """One entry of a browser history."""

    url: str
    title: str
    visit_time_from_now_in_seconds: float = Field(ge=0)


class BrowseHistory(_Parameters):
    """Parameters of `update_browse_history`."""

    history: list[Visit]


PARAMETERS: dict[str, type[BaseModel]] = {
    "activate_window": Window,
    "change_wallpaper": OnePath,
    "chrome_close_tabs": CloseTabs,
    "chrome_open_tabs": OpenTabs,
    "close_window": Window,
    "command": Execute,
    "download": Download,
    "execute": Execute,
    "execute_with_verification": ExecuteWithVerification,
    "launch": Launch,
    "open": OnePath,
    "sleep": Sleep,
    "update_browse_history": BrowseHistory,
    "upload_file": UploadFile,
}
