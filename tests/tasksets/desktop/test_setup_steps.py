from __future__ import annotations

import base64
import io
import zipfile

from tasksets.desktop.setup_steps import (
    create_document,
    create_folder,
    create_mailbox,
    create_presentation,
    create_text_file,
    create_workbook,
    create_zip,
    open_mail,
    open_path,
)


def test_steps_as_json() -> None:
    assert [
        create_folder("/d"),
        create_text_file("/t", "text"),
        create_workbook("/w.xlsx", {"A": [[1]]}),
        create_document("/d.docx", body=["x"], page={}),
        create_presentation("/p.pptx", [{"title": "T"}]),
        create_mailbox({"Inbox": []}),
        open_path("/t"),
        open_mail(),
    ] == [
        {"type": "folder", "parameters": {"path": "/d"}},
        {"type": "text_file", "parameters": {"path": "/t", "text": "text"}},
        {"type": "workbook", "parameters": {"path": "/w.xlsx", "sheets": {"A": [[1]]}}},
        {"type": "document", "parameters": {"path": "/d.docx", "body": ["x"], "page": {}}},
        {"type": "presentation", "parameters": {"path": "/p.pptx", "slides": [{"title": "T"}]}},
        {"type": "mailbox", "parameters": {"folders": {"Inbox": []}}},
        {"type": "open", "parameters": {"path": "/t"}},
        {"type": "open_mail", "parameters": {}},
    ]


def test_an_archive_holds_the_files_and_has_always_the_same_bytes() -> None:
    files = {"readme.txt": "hello\n", "data/a.csv": "1,2\n"}
    step = create_zip("/a.zip", files)
    assert step == create_zip("/a.zip", files)
    assert step["parameters"]["path"] == "/a.zip"
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(step["parameters"]["base64"]))) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files
