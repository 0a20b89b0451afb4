"""The words that shops are made of. Instructions and pages share their spelling and case."""

from __future__ import annotations

from envs.contract.task import Split

COLORS = ("Blue", "Red", "Green", "Black", "White", "Grey", "Yellow", "Purple", "Orange", "Brown")
SIZES = ("XS", "S", "M", "L", "XL")
BRANDS: dict[Split, tuple[str, ...]] = {
    "train": (
        "Alder",
        "Birch",
        "Cedar",
        "Dune",
        "Ember",
        "Fjord",
        "Grove",
        "Harbor",
        "Iris",
        "Juniper",
        "Kestrel",
        "Lumen",
        "Maple",
        "Nordic",
        "Opal",
        "Pine",
        "Quill",
        "Ridge",
        "Sable",
        "Thorn",
    ),
    "dev": (
        "Acre",
        "Bloom",
        "Crest",
        "Dapple",
        "Eden",
        "Fable",
        "Gale",
        "Hollow",
        "Ivy",
        "Jetty",
        "Kite",
        "Linden",
        "Moss",
        "Nest",
        "Otter",
        "Petal",
        "Reed",
        "Shale",
        "Tulip",
        "Vine",
    ),
    "test": (
        "Aster",
        "Brook",
        "Coast",
        "Dahlia",
        "Elder",
        "Flora",
        "Glade",
        "Heath",
        "Isle",
        "Jolly",
        "Knot",
        "Lark",
        "Meadow",
        "Nimble",
        "Oriel",
        "Plume",
        "Rowan",
        "Spruce",
        "Tern",
        "Wren",
    ),
}
"""First words of products; a split's shops have no brand of another's."""
SIZED = {
    "Shirt": ("Cotton", "Linen", "Silk", "Denim"),
    "Jacket": ("Denim", "Leather", "Wool", "Fleece"),
    "Sweater": ("Wool", "Cotton", "Bamboo", "Fleece"),
    "Dress": ("Cotton", "Linen", "Silk", "Denim"),
    "Coat": ("Wool", "Leather", "Cotton", "Fleece"),
    "Hoodie": ("Cotton", "Fleece", "Bamboo", "Wool"),
    "Skirt": ("Cotton", "Denim", "Wool", "Linen"),
}
"""Categories that come in sizes, with their materials."""
PLAIN = {
    "Backpack": ("Leather", "Canvas", "Cotton", "Denim"),
    "Scarf": ("Wool", "Silk", "Cotton", "Linen"),
    "Blanket": ("Wool", "Cotton", "Fleece", "Bamboo"),
    "Wallet": ("Leather", "Canvas", "Denim", "Bamboo"),
    "Cushion": ("Linen", "Cotton", "Silk", "Wool"),
    "Hat": ("Wool", "Cotton", "Linen", "Leather"),
    "Apron": ("Cotton", "Linen", "Canvas", "Denim"),
    "Bag": ("Leather", "Canvas", "Cotton", "Denim"),
}
"""Categories of one size."""
CATEGORIES = {**SIZED, **PLAIN}
MATERIALS = tuple(sorted({material for group in CATEGORIES.values() for material in group}))
LINES = ("Classic", "Slim", "Soft", "Urban")
"""Words that tell a product from its near duplicate."""

CITIES = (
    "Berlin",
    "Oslo",
    "Madrid",
    "Turin",
    "Lyon",
    "Porto",
    "Ghent",
    "Graz",
    "Brno",
    "Malmo",
    "Bergen",
    "Leeds",
    "Basel",
    "Split",
    "Tartu",
    "Cork",
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
PEOPLE: dict[Split, tuple[str, ...]] = {
    "train": ("Ana Costa", "Ben Hardy", "Chloe Roux", "David Lind", "Elena Petrov", "Finn Olsen"),
    "dev": ("Agnes Beck", "Boris Noll", "Cora Leone", "Dorian Fink", "Ella Popov", "Fritz Oberg"),
    "test": (
        "Adele Castro",
        "Bruno Hofer",
        "Cecil Petit",
        "Daria Lorenz",
        "Edith Vargas",
        "Felix Tamm",
    ),
}
"""Customers, by split."""
COUPONS: dict[Split, dict[str, int]] = {
    "train": {
        "SAVE10": 10,
        "SPRING15": 15,
        "WELCOME5": 5,
        "EXTRA20": 20,
        "THANKS10": 10,
        "GARDEN15": 15,
        "TRAVEL5": 5,
        "COZY20": 20,
        "SUNNY10": 10,
        "HAPPY15": 15,
        "CLUB5": 5,
        "PRIME20": 20,
        "FAMILY10": 10,
        "MARCH15": 15,
        "TREAT5": 5,
        "BOOST20": 20,
    },
    "dev": {
        "BONUS10": 10,
        "AUTUMN15": 15,
        "HELLO5": 5,
        "MEGA20": 20,
        "FRIEND10": 10,
        "CANYON15": 15,
        "PICNIC5": 5,
        "SNOW20": 20,
        "RAINY10": 10,
        "PARTY15": 15,
        "TEAM5": 5,
        "ROYAL20": 20,
        "COUSIN10": 10,
        "APRIL15": 15,
        "GIFT5": 5,
        "RUSH20": 20,
    },
    "test": {
        "LUCKY10": 10,
        "WINTER15": 15,
        "FIRST5": 5,
        "SUPER20": 20,
        "LOYAL10": 10,
        "FOREST15": 15,
        "BEACH5": 5,
        "WARM20": 20,
        "CLOUD10": 10,
        "FUNNY15": 15,
        "CREW5": 5,
        "ULTRA20": 20,
        "GUEST10": 10,
        "AUGUST15": 15,
        "CHEER5": 5,
        "FLASH20": 20,
    },
}
"""Percent off, by split; of few codes a policy would learn each by heart."""
PERCENT_OFF = {code: percent for codes in COUPONS.values() for code, percent in codes.items()}
ADDRESSES: dict[Split, tuple[str, ...]] = {
    "train": (
        "Home",
        "Work",
        "Cabin",
        "Workshop",
        "Attic",
        "Garage",
        "Warehouse",
        "Depot",
        "Villa",
        "Cottage",
        "School",
        "Clinic",
        "Stable",
        "Bakery",
        "Chapel",
        "Castle",
    ),
    "dev": (
        "Flat",
        "Office",
        "Loft",
        "Barn",
        "Lodge",
        "Gallery",
        "Library",
        "Kiosk",
        "Tower",
        "Chalet",
        "Hangar",
        "Boathouse",
        "Greenhouse",
        "Bungalow",
        "Cellar",
        "Abbey",
    ),
    "test": (
        "House",
        "Studio",
        "Farm",
        "Penthouse",
        "Shed",
        "Mansion",
        "Hostel",
        "Museum",
        "Theatre",
        "Laboratory",
        "Nursery",
        "Dormitory",
        "Pavilion",
        "Embassy",
        "Vineyard",
        "Factory",
    ),
}
"""What customers call their addresses, by split. A shop has two of them: of two names for all shops
a policy would learn the names by heart, and not to read them."""
SHIPPING = {"Standard": 490, "Express": 1290, "Pickup": 0}
"""Fees in cents."""
PAYMENTS = ("Visa", "PayPal", "Invoice")
REASONS = ("Too small", "Too large", "Damaged", "Wrong item", "Changed my mind")
ORDINALS = ("first", "second", "third")
SHOP_NAMES: dict[Split, tuple[str, ...]] = {
    "train": ("Northwind", "Larkspur", "Harvest", "Meridian", "Copperfield", "Willow"),
    "dev": ("Brightwater", "Cliffside", "Foxhall", "Moorland", "Ridgeway", "Stonebridge"),
    "test": ("Ashgrove", "Blackwell", "Eastbrook", "Fairmont", "Glenmore", "Kingsway"),
}
"""By split."""
