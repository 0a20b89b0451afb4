"""Task programs of schemas: what they may be about."""

from __future__ import annotations

from envs.gyms.generated.make_programs import MOST, list_shown, next_step
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.phrasings import PHRASINGS, SAME_WORDS, word_program
from envs.gyms.generated.schema import PROGRAM_KINDS

SCHEMAS = [make_schema(f"gen-{seed:04}", seed) for seed in range(60)]


def test_names_are_unique_and_there_are_enough() -> None:
    for schema in SCHEMAS:
        names = [program.name for program in schema.programs]
        assert len(set(names)) == len(names) == MOST


def test_a_record_is_told_by_what_its_list_shows() -> None:
    for schema in SCHEMAS:
        for program in schema.programs:
            entity = schema.entity(program.entity)
            if program.kind.endswith("_found"):
                assert set(program.fields[:2]) <= set(list_shown(entity)), program
            if program.kind in ("sum", "extreme"):
                assert program.fields[1] in entity.columns, program


def test_a_step_leads_on_to_the_next() -> None:
    work = SCHEMAS[0].entities[0]
    first = work.steps[0]
    second = next_step(work, first)
    assert second is None or first.goal in second.sources


def test_every_kind_has_several_wordings_and_refusals_those_of_what_can_be_done() -> None:
    for kind in PROGRAM_KINDS:
        texts = word_program(kind, {"noun": "visit"})
        assert len(texts) >= 3, kind
        assert all("<noun>" not in text for text in texts)
    assert set(SAME_WORDS.values()) <= set(PHRASINGS)
