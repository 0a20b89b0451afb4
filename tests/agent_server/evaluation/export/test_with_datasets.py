"""Exports are read by the `datasets` library, and TRL's SFTTrainer trains on conversations, with no
loss on what the environment said."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from agent_server.evaluation.export.conversations import export_conversations
from agent_server.evaluation.export.parquet import export_parquet
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

pytestmark = pytest.mark.ecosystem
NAMES = "abcd"
TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|> "
    "{% if message.role == 'assistant' %}{% generation %}{{ message.content }} "
    "{% for call in message.tool_calls or [] %}"
    "{{ call.function.name }} {{ call.function.arguments }} {% endfor %}{% endgeneration %}"
    "{% else %}{{ message.content }} {% endif %}{% endfor %}"
)


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    ends = {("oracle", name, 0): End(pictures=True) for name in NAMES}
    tasks = [("os", task(name)) for name in NAMES]
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    for write in (export_conversations, export_parquet):
        list(write(tmp_path / "out", tmp_path / "run", evaluation, trials))
    return tmp_path / "out"


def test_the_folder_is_a_data_set_with_pictures(exported: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    cache = str(tmp_path / "cache")
    steps = load_dataset(str(exported), "steps", split="train", cache_dir=cache)
    assert steps[0]["screenshot"].size[0] > 0
    trials = load_dataset(str(exported), "trials", split="train", cache_dir=cache)
    assert trials["task_id"] == list(NAMES)
    assert trials["success"] == [True] * len(NAMES)


def test_trl_trains_on_what_the_agent_said_alone(exported: Path, tmp_path: Path) -> None:
    from datasets import load_dataset
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    trl: Any = importlib.import_module("trl")
    file = exported / "conversations.jsonl"
    rows = load_dataset(
        "json", data_files=str(file), split="train", cache_dir=str(tmp_path / "cache")
    )
    inner = Tokenizer(models.WordLevel(unk_token="[unk]"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    words = trainers.WordLevelTrainer(special_tokens=["[unk]", "[pad]", "[eos]"])
    inner.train_from_iterator([file.read_text()], words)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="[unk]", pad_token="[pad]", eos_token="[eos]"
    )
    tokenizer.chat_template = TEMPLATE
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            head_dim=16,
        )
    )
    settings = trl.SFTConfig(
        output_dir=str(tmp_path / "trl"),
        max_steps=1,
        per_device_train_batch_size=2,
        assistant_only_loss=True,
        use_cpu=True,
        bf16=False,
        report_to=[],
        save_strategy="no",
    )
    trainer = trl.SFTTrainer(
        model=model, args=settings, train_dataset=rows, processing_class=tokenizer
    )
    batch = next(iter(trainer.get_train_dataloader()))
    learned = tokenizer.decode(batch["labels"][0][batch["labels"][0] >= 0])
    assert "done" in learned
    assert "Task" in tokenizer.decode(batch["input_ids"][0])
    assert "Task" not in learned
    assert trainer.train().training_loss > 0
