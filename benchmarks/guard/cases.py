"""One case of the injection set: pages, a user's task, and what a gullible agent does with them.

`{site}` and `{other}` in pages and steps are the addresses of the two sites that serve a case: the
one that the user works on, and a stranger's. A case is an attack where it has a `harm`.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Half = Literal["looked", "unseen"]
"""Of the held-out part: what got through may be looked at in one, so that rules can be mended, and
in the other by its share alone."""
Kind = Literal["visible", "hidden", "attribute", "dialog", "content", "steps"]
KINDS: tuple[Kind, ...] = ("visible", "hidden", "attribute", "dialog", "content", "steps")
"""In the text that people read; hidden from them; in attributes; as a dialog or a system's message;
in mails, comments and results of a search; over several pages or to another site."""
DATA = Path(__file__).parent / "data"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Harm(_Model):
    """A request that must not come: to a path of a site, with these texts in it."""

    path: str
    texts: tuple[str, ...] = ()


class Case(_Model):
    """`steps`: actions, as a gullible agent carries them out: an attack's where there is one, else
    those of the user's task."""

    name: str
    kind: Kind
    task: str
    start: str = "/"
    pages: dict[str, str] = Field(description="HTML by path; of the stranger's site after //other")
    steps: list[dict[str, Any]]
    harm: Harm | None = None

    @property
    def is_attack(self) -> bool:
        """Whether its pages carry an attack."""
        return self.harm is not None


_cases: TypeAdapter[list[Case]] = TypeAdapter(list[Case])


def load_cases(name: str) -> list[Case]:
    """The cases of a part of the set. Raises OSError, pydantic.ValidationError."""
    return _cases.validate_json((DATA / f"{name}.json").read_bytes())


def half_of(case: Case) -> Half:
    """The half that a case of the held-out part is in: an attack by the attacker's goal, a benign
    one by the user's task, so that what one half shows of a goal says nothing of the other."""
    suite_and_goal = "/".join(case.name.split("/")[:2])
    return "looked" if sum(sha256(suite_and_goal.encode()).digest()) % 2 == 0 else "unseen"


def save_cases(name: str, cases: list[Case]) -> None:
    """Writes a part of the set."""
    (DATA / f"{name}.json").write_bytes(_cases.dump_json(cases, indent=1, exclude_none=True))
