"""All desktop templates, in an order that `DesktopGym.corpus` relies on."""

from __future__ import annotations

from itertools import chain

from tasksets.desktop import (
    browser,
    calc_data,
    calc_formatting,
    calc_formulas,
    calc_sheets,
    files,
    impress,
    mail,
    multi_app,
    text_files,
    writer_formatting,
    writer_text,
)
from tasksets.desktop.template import DesktopTemplate

_MODULES = (
    browser,
    calc_formulas,
    calc_data,
    calc_formatting,
    calc_sheets,
    files,
    impress,
    mail,
    multi_app,
    text_files,
    writer_text,
    writer_formatting,
)

TEMPLATES: tuple[DesktopTemplate, ...] = tuple(
    chain.from_iterable(module.TEMPLATES for module in _MODULES)
)
