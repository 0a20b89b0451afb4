"""The words that worlds are made of."""

from __future__ import annotations

FIRST = (
    "Ana", "Anna", "Anne", "Ben", "Bela", "Carla", "Carlos", "Chloe", "Clara", "Daniel", "Daniela",
    "David", "Elena", "Elina", "Emil", "Emma", "Erik", "Erika", "Finn", "Fiona", "Greta", "Hanna",
    "Hugo", "Ida", "Igor", "Ines", "Ivan", "Jana", "Jan", "Jonas", "Julia", "Karl", "Karla", "Lars",
    "Lena", "Leon", "Lina", "Luca", "Lucia", "Maja", "Marc", "Maria", "Marie", "Mark", "Marta",
    "Mila", "Nadia", "Nina", "Noah", "Nora", "Olga", "Oscar", "Paul", "Paula", "Petra", "Rosa",
    "Sara", "Sofia", "Sven", "Thea", "Tom", "Vera", "Viktor", "Zoe",
)  # fmt: skip
LAST = (
    "Adler", "Aldana", "Berg", "Berger", "Bianchi", "Brandt", "Costa", "Conti", "Dahl", "Duarte",
    "Egger", "Falk", "Ferrari", "Fischer", "Fuchs", "Garcia", "Gruber", "Haas", "Hansen", "Hardy",
    "Holm", "Horvat", "Ivanov", "Jansen", "Jensen", "Keller", "Klein", "Kovac", "Lang", "Lange",
    "Larsen", "Lind", "Lopez", "Maier", "Martin", "Mayer", "Moreau", "Novak", "Olsen", "Pavlov",
    "Perez", "Petrov", "Rossi", "Roux", "Ruiz", "Sato", "Silva", "Sommer", "Stein", "Torres",
    "Vidal", "Vogel", "Weber", "Weiss", "Winter", "Wolf",
)  # fmt: skip
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
    "Basel", "Bergen", "Berlin", "Brno", "Cork", "Ghent", "Graz", "Leeds", "Lyon", "Madrid",
    "Malmo", "Oslo", "Porto", "Split", "Tartu", "Turin",
)  # fmt: skip
STREETS = (
    "Mill Road", "High Street", "Lake View", "Station Way", "Park Lane", "Garden Row",
    "Church Hill", "River Walk", "Market Square", "Oak Avenue",
)  # fmt: skip
COMPANIES = ("Northwind", "Larkspur", "Meridian", "Copperfield", "Willowby", "Harrow", "Tidewater")
FIRM_FIRST = (
    "Acorn", "Alpine", "Amber", "Atlas", "Beacon", "Birch", "Cedar", "Cobalt", "Coral", "Delta",
    "Ember", "Falcon", "Fjord", "Granite", "Harbor", "Indigo", "Juniper", "Kestrel", "Lumen",
    "Maple", "Nimbus", "Onyx", "Orchid", "Pioneer", "Quartz", "Raven", "Sable", "Summit", "Tundra",
    "Umber", "Vertex", "Zenith",
)  # fmt: skip
FIRM_SECOND = (
    "Foods", "Labs", "Logistics", "Media", "Motors", "Partners", "Press", "Retail", "Studios",
    "Systems", "Textiles", "Tools", "Travel", "Works",
)  # fmt: skip
