"""Writes envs/gyms/generated/catalogue.json: the generated apps as the generator makes them now.

    .venv/bin/python scripts/freeze_worlds.py

Run it after a change of the generator that is meant to change its apps, and say so in CHANGELOG.md:
results on the old apps are not comparable to results on the new ones.
"""

from __future__ import annotations

from envs.gyms.generated.catalogue import FILE, make_catalogue
from envs.io.atomic_write import write_whole


def main() -> None:
    """Writes the file."""
    catalogue = make_catalogue()
    write_whole(FILE, [catalogue.model_dump_json(indent=1).encode() + b"\n"])
    programs = sum(row.programs for row in catalogue.rows)
    print(f"{len(catalogue.rows)} apps, {programs} task programs, hash {catalogue.hash}")


if __name__ == "__main__":
    main()
