"""What must hold before a run begins with somebody's model: each obstacle is one sentence, said
before a process is started or a folder made."""

from __future__ import annotations

from pathlib import Path

from transformers import PreTrainedTokenizerFast

from agent_server.episodes.seeing_agent import EXPLAINED
from envs.browser.page_size import parse_page_size
from envs.dialects.pictures import smart_resize
from trainer.chat_format import prompt_format, served_format
from trainer.config import ConfigError, TrainConfig
from trainer.learner_processes import launch_problem
from trainer.memory_plan import describe_plan
from trainer.model_check import ModelUnusable, check_model
from trainer.model_files import load_config
from trainer.pictures import PictureReader
from trainer.task_set import TaskSet
from trainer.tokenizer import load_tokenizer

PROMPT_TEXT = 160
"""Tokens of a prompt's text at least: a task, and a few actions before."""


def check_start_model(config: TrainConfig, tasks: TaskSet, *, serves: bool = True) -> str | None:
    """Whether the learner can train the folder `model.path`, the server serve it, and a page fit
    into its prompts; returns a line with the memory that this takes. `serves`: whether the policy
    server runs on this machine, too. Raises ModelUnusable, TemplateUnusable or ConfigError."""
    if problem := launch_problem(config.learner.processes):
        raise ConfigError(problem)
    if config.model.path is None:
        if config.env.view.shows_pictures and config.model.family == "deskhand":
            raise ConfigError(
                "env.view.observe shows pictures, which the model made from scratch does not read: "
                "set model.family or model.path to one that does"
            )
        return None
    folder = Path(config.model.path)
    if not folder.is_dir():
        raise ConfigError(
            f"model.path: there is no folder {folder}; name a model's with --set model.path=DIR"
        )
    engine = config.serve.engine
    report = check_model(
        folder,
        None,
        config.learner_config,
        engine,
        needs_reference=config.needs_reference,
        serves=serves,
    )
    if report.problems:
        raise ModelUnusable(f"{folder}: {report.problems[0]}")
    if report.max_positions is not None and config.model.max_model_len > report.max_positions:
        raise ConfigError(
            f"model.max_model_len is {config.model.max_model_len}, but {folder} reads at most "
            f"{report.max_positions} tokens"
        )
    if config.env.view.shows_pictures and not report.sees:
        raise ConfigError(f"env.view.observe shows pictures, but {folder} reads text only")
    if not (folder / "tokenizer.json").is_file():
        raise ModelUnusable(f"{folder} has no tokenizer.json: its prompts cannot be written")
    tokenizer = load_tokenizer(folder)
    _check_page_fits(config, tasks, tokenizer)
    if config.env.view.shows_pictures:
        _check_pictures_fit(config, folder, tokenizer)
    return describe_plan(
        report.memory, engine, report.learner_memory, report.server_memory, report.main_memory
    )


def _check_page_fits(
    config: TrainConfig, tasks: TaskSet, tokenizer: PreTrainedTokenizerFast
) -> None:
    """A page that is cut off everywhere teaches nothing, and nothing in a report would show it."""
    if not config.env.view.shows_tree:
        return
    text = "\n".join(text for gym in tasks.gyms for text in gym.corpus(0))[:100_000]
    tokens = len(tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))
    page = int(config.env.tree_chars * tokens / max(len(text), 1))
    limit, answer = config.model.max_model_len, config.sampling.max_tokens
    room = prompt_format(tokenizer).room(limit, answer)
    if page > room:
        raise ConfigError(
            f"prompts are too long: a page of env.tree_chars={config.env.tree_chars} takes about "
            f"{page} tokens of this model, and model.max_model_len={limit} with "
            f"sampling.max_tokens={answer} leaves {room} for it"
        )


def _check_pictures_fit(
    config: TrainConfig, folder: Path, tokenizer: PreTrainedTokenizerFast
) -> None:
    """Pictures stand before the text: where they fill the prompt, the task is cut off."""
    view, (width, height) = config.env.view, parse_page_size(config.env.page)
    form = served_format(tokenizer, load_config(folder), PictureReader(folder))
    assert form.picture is not None
    most = min(view.max_pixels or form.picture.max_pixels, form.picture.max_pixels)
    size = smart_resize(width, height, form.picture.min_pixels, most, form.picture.factor)
    tokens = form.picture.count_tokens(*size)
    limit, answer = config.model.max_model_len, config.sampling.max_tokens
    explained = EXPLAINED.get(view.dialect, "") if view.explain else ""
    text = PROMPT_TEXT + len(tokenizer.encode(explained, add_special_tokens=False))
    if form.room(limit, answer, [tokens] * view.pictures) < text:
        raise ConfigError(
            f"prompts are too long: a picture of a page of env.page={config.env.page} takes "
            f"{tokens} tokens of this model, and model.max_model_len={limit} with {view.pictures} "
            f"of them and sampling.max_tokens={answer} leaves less than {text} for the text"
        )
