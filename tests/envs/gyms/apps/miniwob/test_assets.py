"""The files of the package that are served."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.assets import (
    is_installed,
    page_of,
    read_file,
    registered_templates,
    served_files,
)

if not is_installed():
    pytest.skip("the package miniwob is not installed", allow_module_level=True)


def test_every_registered_task_has_a_page_with_our_script() -> None:
    templates = registered_templates()
    assert len(templates) == 128
    assert "simon-says" not in templates  # is in the package, but not registered
    for template in templates:
        data, content_type = read_file(page_of(template)) or (b"", "")
        assert content_type == "text/html"
        assert data.count(b"/miniwob/page.js") == 1, template


def test_no_path_leads_out_of_the_pages() -> None:
    for path in ("../registration.py", "miniwob/../../registration.py", "/etc/passwd", "", "core"):
        assert read_file(path) is None
    folders = {path.partition("/")[0] for path in served_files()}
    assert folders == {"common", "core", "flight", "miniwob"}


def test_files_have_the_content_types_that_browsers_need() -> None:
    content_types = {
        path: (read_file(path) or (b"", ""))[1] for path in ("page.js", "core/core.js")
    }
    assert set(content_types.values()) == {"text/javascript"}
    assert page_of("flight.Alaska") == "flight/Alaska/wrapper.html"
