"""The words that the drive knows: kinds, roles, link access, and what names are made of."""

from __future__ import annotations

from typing import Any

from envs.contract.task import Split

Item = dict[str, Any]
KINDS = ("Document", "Sheet", "Slides", "PDF", "Image")
FOLDER = "Folder"
ROLES = ("Viewer", "Commenter", "Editor")
OFF = "Off"
LINKS = (OFF, "View", "Edit")
ROOT = "root"
PROJECTS: dict[Split, tuple[str, ...]] = {
    "train": ("Aurora", "Borealis", "Comet", "Dune", "Eclipse", "Fathom", "Glacier"),
    "dev": ("Altair", "Bellatrix", "Canopus", "Deneb", "Electra", "Fomalhaut", "Gienah"),
    "test": ("Amethyst", "Beryl", "Citrine", "Diamond", "Emerald", "Feldspar", "Gypsum"),
}
"""Projects of the worlds of one split."""
TREE = {
    "Finance": ("Budgets", "Expenses", "Taxes", "Audits"),
    "Marketing": ("Campaigns", "Logos", "Website"),
    "Team": ("Hiring", "Training", "Offsite"),
    "Templates": (),
    "Archive": (),
}
TOPICS = {
    "Clients": (
        ("Offer", "Document"),
        ("Contract", "PDF"),
        ("Pitch", "Slides"),
        ("Prices", "Sheet"),
        ("Site photo", "Image"),
    ),
    "Finance": (
        ("Budget", "Sheet"),
        ("Forecast", "Sheet"),
        ("Tax filing", "PDF"),
        ("Audit list", "Document"),
        ("Board deck", "Slides"),
    ),
    "Projects": (
        ("Roadmap", "Slides"),
        ("Kick-off notes", "Document"),
        ("Risk list", "Sheet"),
        ("Sketch", "Image"),
        ("Specification", "PDF"),
    ),
    "Marketing": (
        ("Logo", "Image"),
        ("Banner", "Image"),
        ("Campaign plan", "Document"),
        ("Ad costs", "Sheet"),
        ("Press kit", "PDF"),
    ),
    "Team": (
        ("Interview guide", "Document"),
        ("Holiday plan", "Sheet"),
        ("Handbook", "PDF"),
        ("Welcome deck", "Slides"),
        ("Group photo", "Image"),
    ),
    "Templates": (("Letter", "Document"), ("Invoice form", "Sheet"), ("Slide master", "Slides")),
    "Archive": (("Minutes", "Document"), ("Inventory", "Sheet"), ("Old contract", "PDF")),
}
SUFFIXES: dict[Split, dict[str, tuple[str, ...]]] = {
    "train": {
        "Finance": ("2024", "2025", "2026"),
        "Marketing": ("Spring", "Summer", "Autumn", "Winter"),
        "Team": ("March", "May", "June", "October"),
        "Templates": ("short", "long"),
        "Archive": ("2019", "2020", "2021", "2022"),
    },
    "dev": {
        "Finance": ("2027", "2028", "2029"),
        "Marketing": ("North", "South", "East", "West"),
        "Team": ("January", "April", "July", "November"),
        "Templates": ("plain", "formal"),
        "Archive": ("2011", "2012", "2013", "2014"),
    },
    "test": {
        "Finance": ("2030", "2031", "2032"),
        "Marketing": ("Export", "Retail", "Online", "Press"),
        "Team": ("February", "August", "September", "December"),
        "Templates": ("compact", "detailed"),
        "Archive": ("2015", "2016", "2017", "2018"),
    },
}
"""What tells files of one topic apart; projects and clients do where they are not listed. No two
splits share a suffix."""
VARIANTS = ("", " - copy", " final", " v2", " draft", " old")
DESCRIPTIONS = (
    "For the steering group",
    "Numbers still to be checked",
    "Agreed with the board",
    "Replaces last year's",
    "Do not print",
    "Background reading",
    "Waiting for signatures",
)
COMMENTS = (
    "Please check the totals",
    "Is this still the right logo?",
    "Page 3 is missing",
    "Can we say this in fewer words?",
    "The date looks wrong",
    "Nice work",
    "Who signs this?",
    "Let us talk about the second part",
    "The link is broken",
    "This number differs from the report",
    "Add the source",
    "Typo in the title",
)
VERSION_NOTES = (
    "Small corrections",
    "New figures",
    "After the review",
    "Second half added",
    "Reworded",
)
