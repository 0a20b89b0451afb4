"""OSWorld's metrics, one module a format or program. Importing this package registers all."""

from __future__ import annotations

from envs.verify.osworld import accessibility as _accessibility  # noqa: F401
from envs.verify.osworld import csv_files as _csv_files  # noqa: F401
from envs.verify.osworld import json_values as _json_values  # noqa: F401
from envs.verify.osworld import libreoffice as _libreoffice  # noqa: F401
from envs.verify.osworld import places as _places  # noqa: F401
from envs.verify.osworld import plain_texts as _plain_texts  # noqa: F401
from envs.verify.osworld import spreadsheet_answers as _spreadsheet_answers  # noqa: F401
from envs.verify.osworld import sqlite as _sqlite  # noqa: F401
from envs.verify.osworld import table as _table  # noqa: F401
from envs.verify.osworld import table_compat as _table_compat  # noqa: F401
from envs.verify.osworld import thunderbird as _thunderbird  # noqa: F401
from envs.verify.osworld import thunderbird_compat as _thunderbird_compat  # noqa: F401
from envs.verify.osworld import values as _values  # noqa: F401
