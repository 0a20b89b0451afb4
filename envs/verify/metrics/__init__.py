"""Metrics, one file a kind of thing judged. Importing this package registers all of them."""

from __future__ import annotations

from envs.verify.metrics import general as _general  # noqa: F401
from envs.verify.metrics import workbooks as _workbooks  # noqa: F401
