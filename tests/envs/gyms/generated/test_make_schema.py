"""Schemas of many seeds: what must hold of each, and what must differ between them."""

from __future__ import annotations

from envs.gyms.generated.domains import read_domains
from envs.gyms.generated.make_schema import domains_of, make_schema
from envs.gyms.generated.schema import AppSchema

SCHEMAS = [make_schema(f"gen-{seed:04}", seed) for seed in range(120)]


def test_a_seed_makes_one_schema() -> None:
    assert make_schema("gen-0005", 5) == SCHEMAS[5]
    assert AppSchema.model_validate_json(SCHEMAS[5].model_dump_json()) == SCHEMAS[5]
    assert SCHEMAS[5].entities != SCHEMAS[6].entities


def test_words_within_an_entity_mean_one_thing() -> None:
    for schema in SCHEMAS:
        for entity in schema.entities:
            labels = [entity.name_label, *(field.label for field in entity.fields)]
            labels += [entity.state] if entity.states else []
            assert len(set(labels)) == len(labels), (schema.name, labels)
            options = [option for field in entity.fields for option in field.options]
            options += entity.states
            assert len(set(options)) == len(options), (schema.name, options)


def test_apps_differ_in_structure() -> None:
    sizes = {len(schema.entities) for schema in SCHEMAS}
    assert sizes >= {2, 3, 4, 5}
    assert len({schema.domain for schema in SCHEMAS}) > 30
    views = {entity.view for schema in SCHEMAS for entity in schema.entities}
    assert views == {"table", "cards", "lines", "grouped", "board"}
    forms = {entity.form for schema in SCHEMAS for entity in schema.entities}
    assert forms == {"page", "steps", "inline", "dialog"}
    places = {schema.look.navigation for schema in SCHEMAS}
    assert places == {"bar", "side", "tabs", "menu", "tiles", "search"}


def test_pages_without_scripts_ask_for_nothing_that_needs_one() -> None:
    for schema in SCHEMAS:
        if schema.look.family == "legacy":
            assert schema.look.asks_on_page
            assert not schema.look.filters_at_once
            for entity in schema.entities:
                assert entity.form != "dialog"
                assert entity.view != "board"
                assert not entity.steps_in_menu


def test_every_domain_belongs_to_one_split() -> None:
    of_splits = [domains_of("train"), domains_of("dev"), domains_of("test")]
    assert sorted(name for names in of_splits for name in names) == sorted(read_domains())
    assert len(read_domains()) >= 40
