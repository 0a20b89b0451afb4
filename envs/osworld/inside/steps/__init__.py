"""Setup steps, one file a kind, by the names that task files use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from envs.osworld.inside.steps import (
    chrome,
    chromium,
    documents,
    downloads,
    files,
    mail,
    presentations,
    programs,
    unsupported,
)

Step = Callable[[Any, Mapping[str, Any]], Awaitable[None]]
"""(machine, parameters). The machine is a `Machine`; some steps need a `Desktop`."""
STEPS: dict[str, Step] = {
    "chrome_open_tabs": chrome.chrome_open_tabs,
    "chrome_close_tabs": chrome.chrome_close_tabs,
    "update_browse_history": chrome.update_browse_history,
    "chromium_bookmarks": chromium.chromium_bookmarks,
    "chromium_closed": chromium.ensure_chromium_closed,
    "document": documents.document,
    "download": downloads.download,
    "upload_file": downloads.upload_file,
    "change_wallpaper": downloads.change_wallpaper,
    "text_file": files.text_file,
    "folder": files.folder,
    "workbook": files.workbook,
    "mailbox": mail.mailbox,
    "open_mail": mail.open_mail,
    "presentation": presentations.presentation,
    "launch": programs.launch,
    "open": programs.open_file,
    "execute": programs.execute,
    "command": programs.execute,
    "execute_with_verification": programs.execute_with_verification,
    "sleep": programs.sleep,
    "activate_window": programs.activate_window,
    "close_window": programs.close_window,
    **unsupported.STEPS,
}
