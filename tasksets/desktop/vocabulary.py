"""Words and sentences that tasks are made of."""

from __future__ import annotations

import random

ITEMS = (
    "Paper",
    "Pens",
    "Staples",
    "Toner",
    "Folders",
    "Stamps",
    "Tape",
    "Glue",
    "Markers",
    "Labels",
    "Binders",
    "Clips",
    "Envelopes",
    "Erasers",
    "Rulers",
    "Scissors",
    "Notebooks",
    "Cables",
)
PEOPLE = (
    "Ada Moss",
    "Ben Carver",
    "Cleo Hart",
    "Dan Ortiz",
    "Eva Lind",
    "Finn Okoro",
    "Gia Russo",
    "Hugo Stein",
    "Ida Novak",
    "Jon Pierce",
    "Kim Tanaka",
    "Lea Dubois",
    "Max Hale",
    "Nora Quist",
)
CITIES = (
    "Lisbon",
    "Oslo",
    "Vienna",
    "Porto",
    "Ghent",
    "Turin",
    "Leeds",
    "Bergen",
    "Malmo",
    "Split",
    "Cork",
    "Basel",
    "Bilbao",
    "Tartu",
    "Brno",
    "Graz",
)
TOPICS = (
    "Budget",
    "Staffing",
    "Schedule",
    "Training",
    "Equipment",
    "Suppliers",
    "Safety",
    "Travel",
    "Marketing",
    "Storage",
    "Catering",
    "Insurance",
)
PROJECTS = (
    "Harbour",
    "Lantern",
    "Meadow",
    "Falcon",
    "Granite",
    "Willow",
    "Compass",
    "Juniper",
    "Orchard",
    "Beacon",
)
CHORES = (
    "Book the room",
    "Print the badges",
    "Order the lunch",
    "Call the printer",
    "Send the agenda",
    "Check the projector",
    "Pay the deposit",
    "Invite the speakers",
    "Collect the feedback",
    "Update the website",
    "Water the plants",
    "Back up the files",
)
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
COLORS = {
    "red": "FF0000",
    "blue": "0000FF",
    "yellow": "FFFF00",
    "orange": "FFA500",
    "teal": "008080",
    "navy": "000080",
    "purple": "800080",
}
"""RRGGBB by name."""


def sample_paragraphs(rng: random.Random, count: int) -> list[str]:
    """Paragraphs of two sentences each, no sentence twice. At most 7."""
    chosen = rng.sample(SENTENCES, 2 * count)
    return [" ".join(pair) for pair in zip(chosen[::2], chosen[1::2], strict=True)]
