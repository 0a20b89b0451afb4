"""Packed samples with pictures are computed as transformers computes each of them alone."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import AutoModelForImageTextToText

from trainer.learner import Learner, LearnerConfig
from trainer.packing import pack
from trainer.picture_forward import add_blank_picture
from trainer.pictures import PictureReader
from trainer.samples import Picture, Sample, text_sample
from trainer.tiny_models import FAMILIES, make_tiny_model
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer

SEES = [name for name, family in FAMILIES.items() if family.image_processor is not None]
EXACT = LearnerConfig(dtype="float32", threads=1)


def make_picture(seed: int, width: int, height: int) -> Picture:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return Picture(file.getvalue())


def make_samples(folder: Path) -> list[Sample]:
    """None, one and two pictures, of different sizes; two samples share one."""
    tokenizer, reader = load_tokenizer(folder), PictureReader(folder)
    image_id = AutoModelForImageTextToText.from_pretrained(folder).config.image_token_id
    pictures = [make_picture(1, 96, 64), make_picture(2, 120, 150)]
    samples = []
    for shown in ([], [0], [0, 1], [1]):
        prompt = encode_prompt(tokenizer, "click the button")
        for number in shown:
            count = reader.count_tokens(pictures[number])
            prompt[3:3] = [image_id] * count + encode_prompt(tokenizer, "then")[:2]
        sample = text_sample(prompt, encode_answer(tokenizer, "open the cart"))
        chosen = tuple(pictures[number] for number in reversed(shown))
        samples.append(dataclasses.replace(sample, pictures=chosen))
    return samples


def own_logprobs(folder: Path, sample: Sample) -> list[float]:
    """By the model's own forward, one sample at a time."""
    model: Any = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32)
    ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
    options: dict[str, Any] = {}
    if sample.pictures:
        patches = [PictureReader(folder).read(picture) for picture in sample.pictures]
        options = {
            "pixel_values": torch.cat([each.pixels_UX for each in patches]),
            "image_grid_thw": torch.stack([each.grid_3 for each in patches]),
            "mm_token_type_ids": (ids == model.config.image_token_id).int(),
        }
    with torch.no_grad():
        logs_TV = torch.log_softmax(model(input_ids=ids, **options).logits[0], -1)
    start = len(sample.prompt_ids)
    values: list[float] = logs_TV[start - 1 : -1].gather(1, ids[0, start:, None])[:, 0].tolist()
    return values


@pytest.mark.parametrize("family", SEES)
def test_a_packed_row_with_pictures_is_computed_as_its_family_does(
    family: str, tmp_path: Path
) -> None:
    make_tiny_model(family, tmp_path)
    samples = make_samples(tmp_path)
    learner = Learner(tmp_path, EXACT)
    for sample, logprobs in zip(samples, learner.logprobs(samples), strict=True):
        assert logprobs == pytest.approx(own_logprobs(tmp_path, sample), abs=1e-4)
    other = dataclasses.replace(samples[3], pictures=(make_picture(9, 120, 150),))
    assert learner.logprobs([other]) != learner.logprobs(samples[3:]), "pictures matter"
    backend: Any = learner.backend
    (row,) = pack(samples, 4096, share_prompts=False)
    longer = add_blank_picture(row, backend.pictures, backend.model_config.image_token_id)
    assert len(longer.ids_T) > len(row.ids_T)
    logprobs_N, same_N = (backend.target_logprobs(backend.weights, each) for each in (row, longer))
    assert torch.allclose(logprobs_N, same_N, atol=1e-5), "a blank picture is read by none"
    losses = [learner.step(samples, lr=1e-3)["loss/ce"] for _ in range(3)]
    assert losses[-1] < losses[0]
    short = dataclasses.replace(samples[2], pictures=samples[2].pictures[:1])
    with pytest.raises(ValueError, match=r"its 1 pictures make .*not expanded by the same"):
        learner.logprobs([short])
    learner.close()
