"""The words that worlds are made of.

Who and what a world is about (people, companies, firms) has names that no other split has: what a
policy learnt about the names of training helps it nowhere else. Words of the pages themselves
(departments, titles, cities of a form) are shared. Numbers of records have a range of their own in
each split, and so have days (`FIRST_DAYS`), so that an instruction that names either is of one
split alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from envs.contract.task import Split, split_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePool:
    """Names of one split. Many are near one another; a firm's second word is shared."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    companies: tuple[str, ...]
    firms: tuple[str, ...]
    """first words of the names of firms"""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


TRAIN = NamePool(
    first=_words(
        "Ana Anna Anne Ben Bela Carla Carlos Chloe Clara Daniel Daniela David Elena Elina "
        "Emil Emma Erik Erika Finn Fiona Greta Hanna Hugo Ida Igor Ines Ivan Jana Jan Jonas "
        "Julia Karl Karla Lars Lena Leon Lina Luca Lucia Maja Marc Maria Marie Mark Marta "
        "Mila Nadia Nina Noah Nora Olga Oscar Paul Paula Petra Rosa Sara Sofia Sven Thea Tom "
        "Vera Viktor Zoe"
    ),
    last=_words(
        "Adler Aldana Berg Berger Bianchi Brandt Costa Conti Dahl Duarte Egger Falk Ferrari "
        "Fischer Fuchs Garcia Gruber Haas Hansen Hardy Holm Horvat Ivanov Jansen Jensen "
        "Keller Klein Kovac Lang Lange Larsen Lind Lopez Maier Martin Mayer Moreau Novak "
        "Olsen Pavlov Perez Petrov Rossi Roux Ruiz Sato Silva Sommer Stein Torres Vidal Vogel "
        "Weber Weiss Winter Wolf"
    ),
    companies=_words("Northwind Larkspur Meridian Copperfield Willowby Harrow Tidewater"),
    firms=_words(
        "Acorn Alpine Amber Atlas Beacon Birch Cedar Cobalt Coral Delta Ember Falcon Fjord "
        "Granite Harbor Indigo Juniper Kestrel Lumen Maple Nimbus Onyx Orchid Pioneer Quartz "
        "Raven Sable Summit Tundra Umber Vertex Zenith"
    ),
)
DEV = NamePool(
    first=_words(
        "Agnes Agneta Boris Brita Conrad Cora Dora Dorian Ella Elias Frida Fritz Gina Gino "
        "Helga Helge Ilja Ilse Joel Joela Kim Kira Lotta Lothar Milo Milan Noemi Norbert Olaf "
        "Olivia Pamela Pavel Ralf Ramona Stefan Stella Tessa Tomas Ursula Valentin Valentina "
        "Wanda Werner Yvonne Zara"
    ),
    last=_words(
        "Arndt Arnold Beck Becker Carlsen Caruso Dietrich Dietz Eberle Ebert Ferro Fink Gall "
        "Gallo Hagen Hager Isler Jacobs Jacobsen Koch Kocher Leitner Leone Mancini Mann Noll "
        "Nowak Oberg Ochoa Pohl Popov Rameau Ramos Sanchez Sander Tanner Taube Ulrich Vega "
        "Vettel Wagner Wahl Young Zeller"
    ),
    companies=_words("Brightwater Cliffside Foxhall Moorland Ridgeway Stonebridge Westvale"),
    firms=_words(
        "Aspen Bayou Bluff Bronze Canopy Clover Copper Drift Eagle Fern Garnet Heron Island "
        "Jade Knoll Laurel Mesa Nova Oasis Prairie Quiver Ripple Saffron Talon Vale Wharf"
    ),
)
TEST = NamePool(
    first=_words(
        "Adele Adela Bruno Bruna Cecil Cecilia Dario Daria Edith Edgar Felix Felicia Gustav "
        "Gusta Heidi Henrik Henri Iris Isak Joan Jonna Kaja Katja Linus Lino Mona Monika Nico "
        "Nicola Otto Ottilie Pia Rafael Rafaela Simon Simona Tilda Timo Ulla Uma Vito Vita "
        "Xenia Yara Yannick"
    ),
    last=_words(
        "Abel Amato Bauer Baumann Blanc Blanco Castell Castro Decker Engel Engels Frank "
        "Franke Graf Greco Hofer Hoffman Iglesias Jung Junker Kaiser Kraus Krause Lorenz "
        "Lorenzo Marin Marino Neumann Nunez Ortega Pereira Petit Quinn Ricci Richter Santos "
        "Sanz Schubert Schuster Tamm Thomsen Urban Varga Vargas Walker Ziegler Zimmer"
    ),
    companies=_words("Ashgrove Blackwell Eastbrook Fairmont Glenmore Kingsway Oakhurst"),
    firms=_words(
        "Anchor Arbor Basalt Bramble Canyon Cinder Crescent Dover Echo Elm Flint Gable Hazel "
        "Ivory Jasper Keystone Lantern Marble Nectar Obsidian Pebble Quarry Redwood Sterling "
        "Thistle Velvet"
    ),
)
POOLS: dict[Split, NamePool] = {"train": TRAIN, "dev": DEV, "test": TEST}


def names_of(seed: int) -> NamePool:
    """The names that worlds of a seed are made of."""
    return POOLS[split_of(seed)]


FIRST_DAYS: dict[Split, date] = {
    "train": date(2026, 1, 12),
    "dev": date(2028, 1, 12),
    "test": date(2030, 1, 12),
}
"""The earliest day on which a world of the split can be; the latest is 299 days later."""
FIRST_NUMBERS: dict[Split, int] = {"train": 0, "dev": 10_000, "test": 20_000}


def number_of(seed: int, number: int) -> int:
    """The number of a record (an invoice, a ticket, an order) in the range of the seed's split.
    `number` is below 10,000."""
    return FIRST_NUMBERS[split_of(seed)] + number


DEPARTMENTS = ("Sales", "Finance", "Support", "Engineering", "Operations", "Marketing")
TITLES = {
    "Sales": ("Account Manager", "Sales Associate", "Sales Analyst"),
    "Finance": ("Accountant", "Controller", "Payroll Specialist"),
    "Support": ("Support Agent", "Support Engineer", "Support Lead"),
    "Engineering": ("Software Engineer", "Test Engineer", "Data Engineer"),
    "Operations": ("Planner", "Logistics Manager", "Buyer"),
    "Marketing": ("Designer", "Copywriter", "Campaign Manager"),
}
CITIES = (
    "Basel",
    "Bergen",
    "Berlin",
    "Brno",
    "Cork",
    "Ghent",
    "Graz",
    "Leeds",
    "Lyon",
    "Madrid",
    "Malmo",
    "Oslo",
    "Porto",
    "Split",
    "Tartu",
    "Turin",
)
STREETS = (
    "Mill Road",
    "High Street",
    "Lake View",
    "Station Way",
    "Park Lane",
    "Garden Row",
    "Church Hill",
    "River Walk",
    "Market Square",
    "Oak Avenue",
)
FIRM_SECOND = (
    "Foods",
    "Labs",
    "Logistics",
    "Media",
    "Motors",
    "Partners",
    "Press",
    "Retail",
    "Studios",
    "Systems",
    "Textiles",
    "Tools",
    "Travel",
    "Works",
)
