"""OSWorld's metrics, one module a format or program. Importing this package registers all."""

from __future__ import annotations

from envs.verify.osworld import basic_os as _basic_os  # noqa: F401
