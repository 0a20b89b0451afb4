"""Metrics, one file a kind of thing judged. Importing this package registers all of them."""

from __future__ import annotations

from envs.verify.metrics import documents as _documents  # noqa: F401
from envs.verify.metrics import folders as _folders  # noqa: F401
from envs.verify.metrics import formulas as _formulas  # noqa: F401
from envs.verify.metrics import general as _general  # noqa: F401
from envs.verify.metrics import mail as _mail  # noqa: F401
from envs.verify.metrics import presentations as _presentations  # noqa: F401
from envs.verify.metrics import sheet_looks as _sheet_looks  # noqa: F401
from envs.verify.metrics import workbooks as _workbooks  # noqa: F401
