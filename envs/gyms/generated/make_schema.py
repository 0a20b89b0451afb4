"""From a seed to the schema of an app: a domain's nouns in a structure drawn at random.

Pure: the same seed, domain and family give the same schema. Labels within an entity differ, and so
do the options of its choices and its states, so that a word on a page means one thing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import get_args

from envs.contract.task import Split
from envs.gyms.generated.domains import (
    Domain,
    make_plural,
    parse_choice,
    parse_size,
    read_domains,
    split_words,
)
from envs.gyms.generated.make_programs import make_programs
from envs.gyms.generated.schema import (
    DETAILS,
    AppSchema,
    Entity,
    Family,
    Field,
    FormStyle,
    Look,
    Naming,
    Navigation,
    Step,
    View,
)
from envs.gyms.generated.words import (
    COMMON,
    CONTROLS,
    FACILITIES,
    NAME_LABELS,
    SCALES,
    SHIFTS,
    STATE_LABELS,
    STOPS,
    TIERS,
    make_common_field,
)
from envs.gyms.server.themes import THEMES

FAMILIES: tuple[Family, ...] = ("classic", "client", "legacy")
"""The families that are drawn when none is named."""
NAVIGATIONS: dict[Family, tuple[Navigation, ...]] = {
    "classic": ("bar", "side", "menu", "tiles", "search"),
    "client": ("side", "tabs", "menu"),
    "legacy": ("bar", "tiles", "search"),
    "panes": ("bar", "menu"),
    "material": ("bar", "side", "tabs", "menu"),
}
Scale = tuple[tuple[str, ...], tuple[str, ...]]


def make_schema(
    name: str, seed: int, domain: str | None = None, family: Family | None = None
) -> AppSchema:
    """The app of a seed; domain and family are drawn where they are not named."""
    rng = random.Random(f"app:{seed}")
    of_training = [key for key, value in read_domains().items() if value.split == "train"]
    drawn_domain, drawn_family = rng.choice(of_training), rng.choice(FAMILIES)
    key = domain or drawn_domain
    look = _draw_look(rng, family or drawn_family)
    vocabulary = read_domains()[key]
    schema = AppSchema(
        name=name,
        seed=seed,
        domain=key,
        title=rng.choice(split_words(vocabulary.titles)),
        look=look,
        entities=_draw_entities(rng, vocabulary, look.family),
    )
    return schema.model_copy(update={"programs": make_programs(schema)})


def domains_of(split: Split) -> tuple[str, ...]:
    """The domains whose apps are for a split."""
    return tuple(key for key, domain in read_domains().items() if domain.split == split)


def _draw_look(rng: random.Random, family: Family) -> Look:
    return Look(
        family=family,
        navigation=rng.choice(NAVIGATIONS[family]),
        theme=rng.randrange(len(THEMES)),
        details=rng.choice(DETAILS),
        page_size=rng.choice((6, 8, 10)),
        filters_at_once=family != "legacy" and rng.random() < 0.6,
        radios=rng.random() < (0.6 if family == "legacy" else 0.2),
        asks_on_page=family == "legacy" or rng.random() < 0.3,
        words={key: rng.choice(texts) for key, texts in CONTROLS.items()},
    )


def _draw_entities(rng: random.Random, domain: Domain, family: Family) -> tuple[Entity, ...]:
    """Two to five: the work, and some of what it refers to. Drawn in an order in which a target
    stands before what refers to it; shown in an order of its own."""
    nouns = {"staff": domain.staff, "client": domain.client, "place": domain.place}
    kept = [role for role in nouns if rng.random() < {"staff": 0.85, "client": 0.7}.get(role, 0.55)]
    if not kept:
        kept = ["staff"]
    entities = {role: _draw_party(rng, role, nouns[role], family) for role in kept}
    if rng.random() < 0.75:
        targets = [entities[role] for role in ("place", "client") if role in entities]
        entities["thing"] = _draw_thing(rng, domain, targets[:1], family)
    targets = [entities[role] for role in ("thing", "staff", "client", "place") if role in entities]
    work = _draw_work(rng, domain, targets[:3], family)
    rest = list(entities.values())
    rng.shuffle(rest)
    return (work, *rest)


class _Fields:
    """Collects the fields of an entity; labels and options that are taken are left out."""

    def __init__(self, rng: random.Random, labels: Sequence[str], options: Sequence[str]) -> None:
        self._rng, self._labels, self._options = rng, set(labels), set(options)
        self.fields: list[Field] = []

    def add(self, field: Field) -> None:
        """Keeps it, unless its label or one of its options is taken."""
        if field.label not in self._labels and not self._options & set(field.options):
            self._labels.add(field.label)
            self._options |= set(field.options)
            self.fields.append(field)

    def add_common(self, key: str) -> None:
        """A field that many domains have."""
        labels = [label for label in COMMON[key][0] if label not in self._labels]
        self.add(make_common_field(key, self._rng.choice(labels)))

    def add_choice(self, key: str, label: str, options: Sequence[str]) -> None:
        """A drop-down."""
        self.add(Field(key=key, label=label, kind="choice", options=tuple(options)))

    def add_scale(self, scales: Sequence[Scale]) -> None:
        """One of the choices that many domains have."""
        labels, options = self._rng.choice(list(scales))
        self.add_choice("scale", self._rng.choice(labels), options)

    def add_reference(self, target: Entity) -> None:
        """A record of another entity, under its noun."""
        label = target.singular[0].upper() + target.singular[1:]
        self.add(Field(key=f"ref_{target.key}", label=label, kind="reference", target=target.key))

    def add_own(self, kind: str, size: str, flag: str) -> None:
        """What is special to the domain."""
        self.add_choice("kind", *parse_choice(kind))
        label, low, high, unit = parse_size(size)
        self.add(Field(key="size", label=label, kind="number", unit=unit, low=low, high=high))
        self.add(Field(key="flag", label=flag, kind="flag"))

    def take(self, most: int) -> tuple[Field, ...]:
        """At most so many, in an order at random; references always."""
        references = [field for field in self.fields if field.kind == "reference"]
        others = [field for field in self.fields if field.kind != "reference"]
        kept = self._rng.sample(others, min(len(others), max(2, most - len(references))))
        fields = [*references, *kept]
        self._rng.shuffle(fields)
        return tuple(fields)


def _draw_work(
    rng: random.Random, domain: Domain, targets: Sequence[Entity], family: Family
) -> Entity:
    work = domain.work
    states, verbs = list(split_words(work.states)), split_words(work.verbs)
    naming: Naming = "code" if rng.random() < 0.7 else "thing"
    state, name_label = rng.choice(STATE_LABELS), rng.choice(NAME_LABELS[naming])
    has_stop = rng.random() < 0.5
    stop_verb, stop_state = rng.choice(STOPS)
    fields = _Fields(rng, (state, name_label), (*states, stop_state))
    for target in targets:
        fields.add_reference(target)
    fields.add_own(work.kind, work.size, work.flag)
    for key in rng.sample(("due", "received", "fee", "deposit", "note"), 3):
        fields.add_common(key)
    fields.add_scale(SCALES)
    kept = fields.take(rng.randint(5, 8))
    flags = [field.key for field in kept if field.kind == "flag"]
    needing = rng.choice((1, 2)) if flags and rng.random() < 0.7 else -1
    steps = [
        Step(
            key=f"step{place}",
            verb=verb,
            sources=(states[place],),
            goal=states[place + 1],
            needs=flags[0] if place == needing else "",
        )
        for place, verb in enumerate(verbs)
    ]
    if has_stop and stop_state not in states and stop_verb not in verbs:
        steps.append(Step(key="stop", verb=stop_verb, sources=tuple(states[:2]), goal=stop_state))
        states.append(stop_state)
    locked = tuple(states[3:]) if rng.random() < 0.6 else ()
    entity = Entity(
        **_noun_of(work.noun, work.plural),
        naming=naming,
        name_label=name_label,
        words=(work.code if naming == "code" else work.noun,),
        fields=kept,
        states=tuple(states),
        state=state,
        steps=tuple(steps),
        locked=locked,
        count=rng.randint(14, 24),
        can_delete=rng.random() < 0.6,
        steps_in_list=family in ("classic", "client", "material") and rng.random() < 0.25,
        steps_in_menu=rng.random() < 0.25 and family != "legacy",
        has_bulk=rng.random() < 0.5,
    )
    return _draw_views(rng, entity, family)


def _draw_thing(
    rng: random.Random, domain: Domain, targets: Sequence[Entity], family: Family
) -> Entity:
    thing = domain.thing
    name_label = rng.choice(NAME_LABELS["thing"])
    fields = _Fields(rng, (name_label,), ())
    for target in targets:
        fields.add_reference(target)
    fields.add_own(thing.kind, thing.size, thing.flag)
    for key in rng.sample(("value", "serial", "checked", "note"), 2):
        fields.add_common(key)
    entity = Entity(
        **_noun_of(thing.noun, thing.plural),
        naming="thing",
        name_label=name_label,
        words=split_words(thing.words),
        fields=fields.take(rng.randint(4, 6)),
        count=rng.randint(9, 14),
    )
    return _draw_views(rng, entity, family)


def _draw_party(rng: random.Random, role: str, noun: str, family: Family) -> Entity:
    """People who do the work, places where, and who it is for."""
    naming: Naming = "person" if role == "staff" else "thing" if role == "place" else "firm"
    if role == "client" and rng.random() < 0.5:
        naming = "person"
    name_label = rng.choice(NAME_LABELS[naming])
    fields = _Fields(rng, (name_label,), ())
    keys = {
        "staff": ("phone", "email", "since", "rate"),
        "place": ("street", "city", "seats", "phone"),
        "client": ("phone", "email", "city", "since", "discount", "street"),
    }[role]
    for key in rng.sample(keys, 3):
        fields.add_common(key)
    fields.add_scale({"staff": SHIFTS, "place": FACILITIES, "client": TIERS}[role])
    entity = Entity(
        **_noun_of(noun, ""),
        naming=naming,
        name_label=name_label,
        words=(noun,) if naming == "thing" else (),
        fields=fields.take(rng.randint(3, 4)),
        count={"staff": rng.randint(6, 9), "place": rng.randint(5, 7)}.get(
            role, rng.randint(8, 11)
        ),
    )
    return _draw_views(rng, entity, family)


def _noun_of(noun: str, plural: str) -> dict[str, str]:
    many = plural or make_plural(noun)
    return {"key": many.replace(" ", "_").replace("-", "_"), "singular": noun, "plural": many}


def _draw_views(rng: random.Random, entity: Entity, family: Family) -> Entity:
    """How its list and its form look."""
    choices = [field.key for field in entity.fields if field.kind == "choice"]
    views: list[View] = ["table", "table", "cards", "lines"]
    if choices or entity.steps:
        views.append("grouped")
    if entity.steps and family != "legacy":
        views.append("board")
    view = "table" if family == "panes" else rng.choice(views)
    keys = [field.key for field in entity.fields]
    columns = rng.sample(keys, min(len(keys), rng.randint(2, 4)))
    columns.sort(key=keys.index)
    if entity.steps and view != "board":
        columns.append("state")
    filters = [key for key in (*choices, "state") if key != "state" or entity.steps]
    groups = [key for key in filters if key in choices or key == "state"]
    forms: list[FormStyle] = list(get_args(FormStyle))
    if family == "legacy":
        forms.remove("dialog")
    return entity.model_copy(
        update={
            "view": view,
            "columns": tuple(columns),
            "filters": tuple(filters if rng.random() < 0.7 else filters[-1:]),
            "group_by": "state" if view == "board" else rng.choice(groups) if groups else "",
            "has_search": rng.random() < 0.7,
            "form": rng.choice(forms),
        }
    )
