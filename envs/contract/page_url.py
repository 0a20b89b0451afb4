"""Which addresses a browser session opens: web pages, and nothing of the machine or the browser.

`file:`, `view-source:`, `chrome:`, `devtools:`, `data:`, `javascript:`, `blob:`, `ftp:` and all
other schemes are refused: what they show is no site, or nobody's to show.
"""

from __future__ import annotations

import re

BLANK = "about:blank"
_SITE = r"[Hh][Tt][Tt][Pp][Ss]?://[^\s/\\?#@]+([/?#].*)?"
SITE_URL = rf"^{_SITE}$"
"""http or https with a host and without a user. As the browser reads it, too: a text that begins so
cannot have another scheme."""
PAGE_URL = rf"^(about:blank|{_SITE})$"
"""A site's page, or the blank page."""
MAX_LENGTH = 4096
"""Of addresses that tasks and actions name."""
_PAGE_URL = re.compile(PAGE_URL[1:-1])


def is_page_url(url: str) -> bool:
    """Whether a browser session may open this absolute URL."""
    return _PAGE_URL.fullmatch(url) is not None
