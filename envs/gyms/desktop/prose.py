"""Text that documents, presentations and mails of tasks are made of."""

from __future__ import annotations

import random

TOPICS = (
    "Budget", "Staffing", "Schedule", "Training", "Equipment", "Suppliers", "Safety", "Travel",
    "Marketing", "Storage", "Catering", "Insurance",
)  # fmt: skip
PROJECTS = (
    "Harbour", "Lantern", "Meadow", "Falcon", "Granite", "Willow", "Compass", "Juniper", "Orchard",
    "Beacon",
)  # fmt: skip
SENTENCES = (
    "The team met twice and agreed on the next steps.",
    "All figures were checked against the records of last year.",
    "Two offers came in and a third one is expected soon.",
    "Nothing has changed since the last review.",
    "The remaining work can be done by our own people.",
    "A short test showed that the plan is sound.",
    "We asked every department for its opinion.",
    "The costs stay within the limits that were set.",
    "Some questions are still open and need an answer.",
    "Results will be shown at the next meeting.",
    "The old rooms are too small for this purpose.",
    "Visitors were pleased with the new layout.",
    "The contract runs until the end of the year.",
    "Every office will receive a copy of this note.",
)
TASKS = (
    "Book the room", "Print the badges", "Order the lunch", "Call the printer", "Send the agenda",
    "Check the projector", "Pay the deposit", "Invite the speakers", "Collect the feedback",
    "Update the website", "Water the plants", "Back up the files",
)  # fmt: skip
COLORS = {
    "red": "FF0000", "blue": "0000FF", "yellow": "FFFF00", "orange": "FFA500", "teal": "008080",
    "navy": "000080", "purple": "800080",
}  # fmt: skip


def paragraphs(rng: random.Random, count: int) -> list[str]:
    """Of two sentences each, no sentence twice. At most 7."""
    chosen = rng.sample(SENTENCES, 2 * count)
    return [" ".join(pair) for pair in zip(chosen[::2], chosen[1::2], strict=True)]
