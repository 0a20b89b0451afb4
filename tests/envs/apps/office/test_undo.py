from __future__ import annotations

import json

from tests.envs.apps.office.real_office import run_in_bridge_python

STEPS = """
import json, sys
from envs.apps.office.bridge.process import connect
from envs.apps.office.documents import Office
from envs.apps.office.undo import OneStep
from envs.apps.office.uno_values import property_value

office = Office(connect(sys.argv[1], 30))
hidden = (property_value("Hidden", True),)
doc = office.desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, hidden)
texts = []
with OneStep(doc, "Two words"):
    for word in ("one ", "two"):
        doc.Text.insertString(doc.Text.End, word, False)
texts.append(doc.Text.String)
title = doc.getUndoManager().getCurrentUndoActionTitle()
try:
    with OneStep(doc, "Three words"):
        doc.Text.insertString(doc.Text.End, " three", False)
        raise ValueError("no more")
except ValueError as error:
    texts.append(f"{error}: {doc.Text.String}")
doc.getUndoManager().undo()
texts.append(doc.Text.String)
doc.close(True)
print(json.dumps([title, texts]))
"""


def test_changes_are_one_step_and_a_failed_step_is_undone(office_pipe: str) -> None:
    title, texts = json.loads(run_in_bridge_python(STEPS, office_pipe))
    assert title == "Two words"
    assert texts == ["one two", "no more: one two", ""]
