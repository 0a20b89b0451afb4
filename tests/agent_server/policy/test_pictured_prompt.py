"""A prompt with pictures, as the engine is sent it and as the learner reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.manifest import (
    PROMPT_FORMAT,
    BadVersion,
    PictureFormat,
    Probe,
    PromptFormat,
)
from agent_server.policy.pictured_prompt import (
    PicturedPrompt,
    PromptMisread,
    fit_picture,
    probe_request,
)
from tests.agent_server.episodes.test_seeing_agent import screenshot

PICTURE = PictureFormat(
    before=(90,),
    token=7,
    after=(91,),
    factor=28,
    min_pixels=784,
    max_pixels=28 * 28 * 4,
    banned=(7,),
)
FORM = PromptFormat(prefix=(1, 2), suffix=(3,), ends=(4,), picture=PICTURE)


def test_a_picture_gets_a_size_that_the_model_leaves_as_it_is() -> None:
    fitted = fit_picture(screenshot(1), PICTURE)
    assert (fitted.width, fitted.height) == (56, 56)
    assert fit_picture(screenshot(1), PICTURE, most=784).width == 28
    assert fit_picture(fitted, PICTURE) == fitted


def test_the_engine_gets_one_placeholder_and_the_learner_a_token_for_each_patch() -> None:
    pictures = [fit_picture(screenshot(shade), PICTURE) for shade in (1, 2)]
    prompt = PicturedPrompt(FORM, pictures)
    ids = prompt.expand([50, 51], None)
    assert ids == [1, 2, 90, 7, 7, 7, 7, 91, 90, 7, 7, 7, 7, 91, 50, 51, 3]
    request = prompt.request([50, 51], None)
    assert request["token_ids"] == [1, 2, 90, 7, 91, 90, 7, 91, 50, 51, 3]
    assert len(request["content_parts"]) == 2
    assert request["return_token_ids"]
    assert prompt.sampling() == {"logit_bias": {"7": -100.0}}
    seen = prompt.check(ids, {"prompt_token_ids": ids})
    assert [(each.offset, each.tokens, each.size) for each in seen] == [
        (3, 4, (56, 56)),
        (9, 4, (56, 56)),
    ]
    assert all(ids[each.offset : each.offset + each.tokens] == [7] * 4 for each in seen)
    assert prompt.room(100, 10) == 100 - 10 - 15 - 1


def test_an_engine_that_reads_another_picture_is_found_out() -> None:
    prompt = PicturedPrompt(FORM, [fit_picture(screenshot(1), PICTURE)])
    with pytest.raises(PromptMisread, match=r"other tokens .* preprocessor_config"):
        prompt.check(prompt.expand([50], None), {"prompt_token_ids": [1, 2, 90, 7, 91, 50, 3]})


def test_text_alone_is_sent_as_before() -> None:
    prompt = PicturedPrompt(FORM.model_copy(update={"picture": None}), [])
    assert prompt.request([50], None) == {"token_ids": [1, 2, 50, 3]}
    assert prompt.sampling() == {}
    assert prompt.check([1], {}) == ()
    with pytest.raises(ValueError, match="reads no pictures"):
        PicturedPrompt(FORM.model_copy(update={"picture": None}), [screenshot(1)])


def test_a_probe_is_sent_with_the_pictures_that_lie_beside_it(tmp_path: Path) -> None:
    (tmp_path / PROMPT_FORMAT).write_text(FORM.model_dump_json())
    (tmp_path / "probe-1.png").write_bytes(b"bytes")
    ids = (1, 90, 7, 7, 7, 91, 50, 50)
    probe = Probe(token_ids=ids, logprobs=(0.0,) * 7, pictures=("probe-1.png",))
    assert probe_request(tmp_path, probe) == {
        "token_ids": [1, 90, 7, 91, 50, 50],
        "content_parts": [{"type": "image_url", "url": "data:image/png;base64,Ynl0ZXM="}],
    }
    text = Probe(token_ids=ids, logprobs=(0.0,) * 7)
    assert probe_request(tmp_path, text) == {"token_ids": list(ids)}
    blind = FORM.model_copy(update={"picture": None})
    (tmp_path / PROMPT_FORMAT).write_text(blind.model_dump_json())
    with pytest.raises(BadVersion, match="probes with pictures"):
        probe_request(tmp_path, probe)
