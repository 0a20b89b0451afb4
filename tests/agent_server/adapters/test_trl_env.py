"""TRL itself takes the web gyms as its environments, and trains on them."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from agent_server.adapters.text_episode import TextEpisode
from agent_server.adapters.trl_env import OVER, TOOLS, WebGymTools, make_rows
from envs.contract.actions import Action, Click, Done, SetValue, Tool, Type
from envs.contract.observations import Observation
from envs.gyms.server.registry import get_web_gym

pytestmark = pytest.mark.ecosystem
TEMPLATES = ("price", "cheapest")


def use_tool(env: WebGymTools, action: Action) -> str:
    """What a model would call for an oracle's action."""
    match action:
        case Click(target=target) if target is not None:
            return env.click(f"#{target.ref}")
        case Type(target=target, text=text, submit=submit) if target is not None:
            return env.type_text(f"#{target.ref}", text, submit)
        case SetValue(target=target, value=bool(value)):
            return env.set_checkbox(f"#{target.ref}", value)
        case SetValue(target=target, value=value):
            return env.choose(f"#{target.ref}", str(value))
        case Tool(name="browser.find_text", arguments=arguments):
            return env.find_text(arguments["text"])
        case Done(answer=answer):
            return env.finish(answer or "")
        case _:
            raise AssertionError(f"no tool for {action}")


def see(env: WebGymTools) -> Observation:
    assert isinstance(env._episode, TextEpisode)
    return env._episode.observation


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_tools_solve_a_task_and_nothing_done_earns_nothing(template: str) -> None:
    env = WebGymTools()
    (row,) = make_rows("shop", [template], [7])
    first = env.reset(**row)
    assert first.startswith("Task: ")
    assert env.get_reward() == 0
    assert env.reset(**row) == first
    oracle = get_web_gym("shop").oracle(_task_of(env))
    while (last := use_tool(env, oracle.move(see(env)).action)) != OVER:
        assert last.startswith("ok"), last
    assert env.get_reward() == 1
    assert env.click("Cart") == OVER


def _task_of(env: WebGymTools) -> Any:
    assert env._episode is not None
    return env._episode.task


def test_every_tool_has_a_schema_that_transformers_reads() -> None:
    from transformers.utils import get_json_schema

    public = {name for name in vars(WebGymTools) if not name.startswith("_")}
    assert public == {*TOOLS, "reset", "get_reward"}
    schemas = [get_json_schema(getattr(WebGymTools(), name))["function"] for name in TOOLS]
    assert all(schema["description"] for schema in schemas)


def test_a_training_step_of_trl_follows_the_verdict(tmp_path: Path) -> None:
    """A tiny model that half knows the answer is trained by TRL; the reward is the verdict's."""
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    (row,) = make_rows("shop", ["price"], [7])
    call = f'<tool_call>\n{{"name": "finish", "arguments": {{"answer": "{_answer(row)}"}}}}\n'
    tokenizer = _make_tokenizer([call, WebGymTools().reset(**row)])
    model = _make_model(len(tokenizer), tokenizer.pad_token_id, tokenizer.eos_token_id)
    _imitate(model, tokenizer, _prompt(tokenizer, row), f"{call}</tool_call><|im_end|>")
    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    options = GRPOConfig(
        output_dir=str(tmp_path),
        max_steps=1,
        per_device_train_batch_size=8,
        num_generations=8,
        max_completion_length=96,
        max_tool_calling_iterations=2,
        learning_rate=1e-3,
        logging_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        bf16=False,
        seed=0,
    )
    trainer = GRPOTrainer(
        model,
        args=options,
        train_dataset=Dataset.from_list([row]),
        processing_class=tokenizer,
        environment_factory=WebGymTools,
    )
    trainer.train()
    log = next(entry for entry in trainer.state.log_history if "reward" in entry)
    assert 0 < log["reward"] < 1, log
    assert log["reward_std"] > 0, log
    assert log["tools/call_frequency"] > 0, log
    assert log["grad_norm"] > 0, log
    after = dict(model.named_parameters())
    assert any(not torch.equal(before[name], value.cpu()) for name, value in after.items())


def _answer(row: dict[str, Any]) -> str:
    """What the oracle answers."""
    env = WebGymTools()
    env.reset(**row)
    oracle = get_web_gym("shop").oracle(_task_of(env))
    while not isinstance(action := oracle.move(see(env)).action, Done):
        use_tool(env, action)
    assert action.answer is not None
    return action.answer


def _make_tokenizer(texts: list[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    core.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token=special[0], eos_token=special[2]
    )
    template = resources.files("trl") / "chat_templates" / "qwen3_instruct_2507.jinja"
    tokenizer.chat_template = template.read_text()
    return tokenizer


def _make_model(vocabulary: int, pad: int, end: int) -> Any:
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=vocabulary,
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=32,
            max_position_embeddings=8192,
            tie_word_embeddings=False,
            pad_token_id=pad,
            eos_token_id=end,
        )
    )


def _prompt(tokenizer: Any, row: dict[str, Any]) -> str:
    """As the trainer renders it: the tools, the prompt and the first page."""
    env = WebGymTools()
    tools = [getattr(env, name) for name in sorted(TOOLS)]
    message = {"role": "user", "content": row["prompt"][0]["content"] + env.reset(**row)}
    text: str = tokenizer.apply_chat_template(
        [message], tools=tools, add_generation_prompt=True, tokenize=False
    )
    return text


def _imitate(model: Any, tokenizer: Any, prompt: str, answer: str) -> None:
    """Until the answer has about one chance in two."""
    import torch

    prompt_ids = tokenizer(prompt, return_tensors="pt").input_ids
    answer_ids = tokenizer(answer, return_tensors="pt").input_ids
    ids = torch.cat([prompt_ids, answer_ids], dim=1)
    labels = ids.clone()
    labels[:, : prompt_ids.shape[1]] = -100
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(300):
        loss = model(input_ids=ids, labels=labels).loss
        if loss.item() * answer_ids.shape[1] < 0.7:
            return
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    raise AssertionError(f"the answer was not learnt: loss {loss.item():.3f}")
