"""Words that tasks are made of."""

from __future__ import annotations

ITEMS = (
    "Paper", "Pens", "Staples", "Toner", "Folders", "Stamps", "Tape", "Glue", "Markers", "Labels",
    "Binders", "Clips", "Envelopes", "Erasers", "Rulers", "Scissors", "Notebooks", "Cables",
)  # fmt: skip
PEOPLE = (
    "Ada Moss", "Ben Carver", "Cleo Hart", "Dan Ortiz", "Eva Lind", "Finn Okoro", "Gia Russo",
    "Hugo Stein", "Ida Novak", "Jon Pierce", "Kim Tanaka", "Lea Dubois", "Max Hale", "Nora Quist",
)  # fmt: skip
CITIES = (
    "Lisbon", "Oslo", "Vienna", "Porto", "Ghent", "Turin", "Leeds", "Bergen", "Malmo", "Split",
    "Cork", "Basel", "Bilbao", "Tartu", "Brno", "Graz",
)  # fmt: skip
