"""Setup steps, one file a kind. Importing this package registers all of them."""

from __future__ import annotations

from envs.verify.steps import chrome as _chrome  # noqa: F401
from envs.verify.steps import chromium as _chromium  # noqa: F401
from envs.verify.steps import documents as _documents  # noqa: F401
from envs.verify.steps import downloads as _downloads  # noqa: F401
from envs.verify.steps import files as _files  # noqa: F401
from envs.verify.steps import mail as _mail  # noqa: F401
from envs.verify.steps import presentations as _presentations  # noqa: F401
from envs.verify.steps import programs as _programs  # noqa: F401
from envs.verify.steps import refused as _refused  # noqa: F401
