"""Text as the policy would have read and written it, with its pictures."""

from __future__ import annotations

from pathlib import Path

from tests.trainer.seeing_run import make_seeing_step, open_seeing_context
from trainer.chat_format import served_format
from trainer.samples import shown_pictures
from trainer.written_samples import written_sample


def test_a_prompt_with_a_picture_is_that_of_the_policy_server(tmp_path: Path) -> None:
    with open_seeing_context(tmp_path) as context:
        step = make_seeing_step(context)
        learner = context.learner
        sample = written_sample(
            context,
            served_format(context.tokenizer, learner.model_config, learner.pictures),
            prompt=step.prompt,
            answer=step.completion.text,
            pictures=shown_pictures(step),
            sizes=[picture.size for picture in step.completion.pictures],
            prompt_ce=0.0,
        )
    assert sample.prompt_ids == step.completion.prompt_ids
    assert sample.completion_ids == step.completion.token_ids
