"""LibreOffice over one lasting UNO connection.

The functions here run in a process of Debian's own Python (`envs.office.bridge`), which has the
`uno` module; they import nothing but the standard library and, inside functions, `uno`. The host
imports the same modules to read signatures and docstrings, and never calls the functions itself.
"""

from __future__ import annotations

from importlib import import_module

MODULES = (
    "files",
    "calc",
    "calc_cells",
    "calc_charts",
    "calc_conditions",
    "calc_data",
    "calc_find",
    "calc_format",
    "calc_page",
    "calc_pivot",
    "calc_rows",
    "calc_rules",
    "calc_sheets",
    "writer_text",
    "writer_case",
    "writer_styles",
    "writer_format",
    "writer_paragraphs",
    "writer_tables",
    "writer_objects",
    "writer_pages",
    "writer_files",
    "impress_slides",
    "impress_text",
    "impress_objects",
    "impress_pages",
    "impress_files",
)


def load_tools() -> None:
    """Fills `envs.office.registry.TOOLS`."""
    for name in MODULES:
        import_module(f"envs.office.{name}")
