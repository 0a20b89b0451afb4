"""OSWorld's metrics, one module a format or program. Importing this package registers all."""

from __future__ import annotations

from envs.verify.osworld import accessibility as _accessibility  # noqa: F401
from envs.verify.osworld import basic_os as _basic_os  # noqa: F401
from envs.verify.osworld import csv_files as _csv_files  # noqa: F401
from envs.verify.osworld import epub as _epub  # noqa: F401
from envs.verify.osworld import folders as _folders  # noqa: F401
from envs.verify.osworld import image_text as _image_text  # noqa: F401
from envs.verify.osworld import json_values as _json_values  # noqa: F401
from envs.verify.osworld import libreoffice as _libreoffice  # noqa: F401
from envs.verify.osworld import media_tags as _media_tags  # noqa: F401
from envs.verify.osworld import office_settings as _office_settings  # noqa: F401
from envs.verify.osworld import office_world as _office_world  # noqa: F401
from envs.verify.osworld import pdf as _pdf  # noqa: F401
from envs.verify.osworld import places as _places  # noqa: F401
from envs.verify.osworld import plain_texts as _plain_texts  # noqa: F401
from envs.verify.osworld import slide_numbers as _slide_numbers  # noqa: F401
from envs.verify.osworld import slides_compare as _slides_compare  # noqa: F401
from envs.verify.osworld import slides_compare_compat as _slides_compare_compat  # noqa: F401
from envs.verify.osworld import slides_looks as _slides_looks  # noqa: F401
from envs.verify.osworld import spreadsheet_answers as _spreadsheet_answers  # noqa: F401
from envs.verify.osworld import sqlite as _sqlite  # noqa: F401
from envs.verify.osworld import table as _table  # noqa: F401
from envs.verify.osworld import table_compat as _table_compat  # noqa: F401
from envs.verify.osworld import thunderbird as _thunderbird  # noqa: F401
from envs.verify.osworld import thunderbird_compat as _thunderbird_compat  # noqa: F401
from envs.verify.osworld import train_records as _train_records  # noqa: F401
from envs.verify.osworld import values as _values  # noqa: F401
from envs.verify.osworld import word_looks as _word_looks  # noqa: F401
from envs.verify.osworld import word_pages as _word_pages  # noqa: F401
from envs.verify.osworld import word_pictures as _word_pictures  # noqa: F401
from envs.verify.osworld import word_text as _word_text  # noqa: F401
