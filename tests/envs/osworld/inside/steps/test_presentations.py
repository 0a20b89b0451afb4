"""The setup step that makes a presentation."""

from __future__ import annotations

from pptx import Presentation

from tests.envs.osworld.inside.steps.headless import Headless, run


def test_slides_and_notes(machine: Headless) -> None:
    slides = [{"title": "Plan", "body": ["First", "Second"], "notes": "Slowly."}, {"title": "End"}]
    run(machine, "presentation", path="/home/user/talk.pptx", slides=slides)
    first, second = Presentation(str(machine.home / "talk.pptx")).slides
    assert first.shapes.title.text == "Plan"
    assert first.placeholders[1].text == "First\nSecond"
    assert first.notes_slide.notes_text_frame.text == "Slowly."
    assert second.shapes.title.text == "End"
