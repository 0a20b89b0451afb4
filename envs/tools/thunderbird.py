"""The tools of Thunderbird: mail, filters, contacts, settings. Importing it registers them."""

from __future__ import annotations

from envs.tools import thunderbird_mail as _mail  # noqa: F401
from envs.tools import thunderbird_settings as _settings  # noqa: F401
