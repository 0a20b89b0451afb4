"""The verified swap on a real vLLM server: no request fails, and what does not verify is undone."""

from __future__ import annotations

import asyncio
import math
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import torch
from safetensors.torch import load_file, save_file

from agent_server.agents.config import load_agent
from agent_server.agents.make import Agents, check_agent
from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.runner import run_episode
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, bearer
from agent_server.policy.inside.policy_guard import CONTROL
from agent_server.policy.manifest import (
    MANIFEST,
    WEIGHTS,
    Manifest,
    file_sha256,
    read_manifest,
    read_max_model_len,
    read_prompt_format,
)
from agent_server.policy.swap import BadVersion, SwapFailed, SwapReport
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status
from tests.agent_server.policy.control_calls import CONTROL_CALLS, FORM_TYPES, RPC
from tests.agent_server.policy.served_policy import (
    CONFIG,
    OBSERVATION,
    SHAPE,
    START_S,
    TASK,
    Served,
    alter_weights,
    generate_long,
    kill_a_swapper_after,
    publish_random,
    serve,
    spans_across_a_swap,
    wait_for_tokens,
)
from tests.agent_server.toy_env import ToySession, toy_task
from trainer.learner import Learner, LearnerConfig
from trainer.model import new_policy
from trainer.publish import publish_version
from trainer.samples import Sample, text_sample
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer

pytestmark = [
    pytest.mark.policy,
    pytest.mark.timeout(1500),
    pytest.mark.asyncio(loop_scope="module"),
]


SETTLE_S = 15.0
IN_FLIGHT = 8
LONG_ANSWER, SHORT_ANSWER = 300, 24
ATTENTION = 30.0
"""Cached keys and values of other weights show in every logprob then."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    folder = tmp_path_factory.mktemp("policy")
    versions = publish_random(folder, 3)
    async with serve(versions, folder / "log", settle_s=SETTLE_S) as served_policy:
        yield served_policy


async def test_a_swap_is_verified_and_answers_carry_the_new_version(served: Served) -> None:
    report = await served.swapper.swap(served.versions[1])
    assert (report.accepted, report.version) == (True, 1)
    assert report.mean_abs_diff < 0.03
    assert report.pause_ms > 0
    assert await served.answer_versions() == (1, 1)


async def test_what_is_sampled_at_a_temperature_is_learnt_at_that_temperature(
    served: Served,
) -> None:
    # The first weights as they are: the other versions are so sure that no temperature shows.
    tokenizer = load_tokenizer(served.versions[0])
    learner = Learner(
        new_policy(SHAPE, len(tokenizer), seed=0), LearnerConfig(threads=1, temperature=0.6)
    )
    prompts = [encode_prompt(tokenizer, f"task: look {number}") for number in range(6)]
    published = publish_version(
        served.versions[0].parent,
        version=60,
        parent=None,
        phase="test",
        learner=learner,
        tokenizer=tokenizer,
        samples=[text_sample(ids, encode_answer(tokenizer, "click Cart")) for ids in prompts],
    )
    # The server gives logprobs of prompts at temperature 1, whatever it samples at.
    report = await served.swapper.swap(published)
    assert report.accepted, report.reason
    assert report.mean_abs_diff < 0.03
    samples = []
    for number in range(6):
        sampling = Sampling(temperature=0.6, max_tokens=24, seed=number)
        turn = Turn(TASK, OBSERVATION, f"task: look {number}", sampling)
        completion = await served.policy.act(turn)
        samples.append(
            Sample(
                completion.prompt_ids,
                completion.token_ids,
                completion.logprobs,
                advantage=1.0,
                rl=1.0,
            )
        )
    at_one = Learner(published, LearnerConfig(threads=1))
    differences = []
    for scorer in (learner, at_one):
        pairs = zip(scorer.logprobs(samples), samples, strict=True)
        gaps = [abs(a - b) for own, s in pairs for a, b in zip(own, s.logprobs, strict=True)]
        differences.append(sum(gaps) / len(gaps))
        scorer.close()
    assert differences[0] < 0.03
    assert differences[1] > 0.1, "logprobs of the wrong temperature are far off"
    assert (await served.swapper.swap(served.versions[1])).accepted


async def test_a_page_that_is_too_long_is_cut_to_what_the_server_takes(served: Served) -> None:
    tokenizer = served.versions[0] / "tokenizer.json"
    limit = read_max_model_len(served.versions[0])
    assert served.engine.max_model_len == limit
    policy = VllmPolicy(
        served.engine.url, SERVED_NAME, 30, tokenizer, served.engine.keys.generation, limit
    )
    prompt = "link Cart #1\n" * limit + "task: look"
    turn = Turn(TASK, OBSERVATION, prompt, Sampling(max_tokens=12))
    completion = await policy.act(turn)
    assert len(completion.prompt_ids) == limit - 12 - 1, "room for the answer and a probe's token"
    room = read_prompt_format(served.versions[0]).room(limit, 12)
    assert completion.prompt_ids == tuple(
        encode_prompt(load_tokenizer(served.versions[0]), prompt, room)
    ), "the learner reads the same"
    await policy.close()
    with pytest.raises(EpisodeFault, match="policy server answered 400") as refused:
        await served.policy.act(turn)
    assert refused.value.reason is InvalidReason.POLICY_REFUSED


async def test_a_tied_model_is_swapped_and_verified(served: Served, tmp_path: Path) -> None:
    config = CONFIG.model_copy(update={"backend": "transformers"})
    versions = publish_random(tmp_path, 2, config, tied=True)
    for folder in versions:
        weights = load_file(folder / WEIGHTS)
        assert torch.equal(weights["lm_head.weight"], weights["model.embed_tokens.weight"])
        report = await served.swapper.swap(folder)
        assert report.accepted, report.reason
        assert report.mean_abs_diff < 0.03
    assert (await served.swapper.swap(served.versions[1])).accepted


async def test_the_server_is_an_endpoint_like_any_other(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_KEY", served.engine.keys.generation)
    file = tmp_path / "own.toml"
    file.write_text(
        f'dialect = "compact"\nbase_url = "{served.engine.url}/v1"\n'
        f'api_key_env = "OWN_KEY"\nmodel = "{SERVED_NAME}"\n'
        "max_tokens = 12\nsend_seed = true\nsystem = ''\ntimeout_s = 60\n"
    )
    spec: Any = load_agent(str(file))
    await check_agent(spec)
    agents, task = Agents(spec), toy_task(1)
    with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
        result = await run_episode(
            task, ToySession(), agents.make(task), Sampling(seed=1), task.limits, recorder
        )
    await agents.close()
    assert result.status is not Status.INVALID, result.detail
    steps, _ = Artifacts(str(tmp_path)).read_steps("e1", 0)
    used = [step.completion.usage for step in steps]
    assert all(usage is not None and usage.prompt > 10 and usage.completion <= 12 for usage in used)
    assert len(steps) == result.steps > 0


async def test_no_request_in_flight_fails_and_spans_are_exact(served: Served) -> None:
    await served.swapper.swap(served.versions[0])
    answers_in_flight = [asyncio.create_task(served.answer_versions(tokens=200)) for _ in range(16)]
    await asyncio.sleep(0.3)
    assert (await served.swapper.swap(served.versions[1])).accepted
    spans = await asyncio.gather(*answers_in_flight)
    assert {first for first, _ in spans} <= {0, 1}
    assert all(last in (first, 1) for first, last in spans)
    assert await served.answer_versions() == (1, 1)


async def test_a_version_is_found_by_a_path_from_here(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(served.versions[1].parent)
    report = await served.swapper.swap(Path(served.versions[1].name))
    assert (report.accepted, report.version) == (True, 1)
    assert served.swapper.live == served.versions[1]


async def test_a_version_whose_probes_do_not_match_is_taken_out_again(served: Served) -> None:
    await served.swapper.swap(served.versions[1])
    manifest = read_manifest(served.versions[2])
    probe = manifest.probes[0]
    wrong = probe.model_copy(update={"logprobs": tuple(x - 0.5 for x in probe.logprobs)})
    file = served.versions[2] / MANIFEST
    file.write_text(manifest.model_copy(update={"probes": (wrong,)}).model_dump_json())
    report = await served.swapper.swap(served.versions[2])
    assert not report.accepted
    assert report.mean_abs_diff == pytest.approx(0.5, abs=0.05)
    assert report.reason.endswith("> 0.05 nats")
    assert await served.answer_versions() == (1, 1), "the old version serves again"


def read_manifest_of(folder: Path) -> Manifest:
    """Without the check of the weights."""
    return Manifest.model_validate_json((folder / MANIFEST).read_bytes())


@pytest.mark.parametrize(
    ("version", "change"),
    [
        (10, lambda tensor: tensor.flip(0).contiguous()),
        (11, lambda tensor: torch.full_like(tensor, float("nan"))),
    ],
    ids=["wrong", "nan"],
)
async def test_weights_that_are_not_those_of_the_probes_are_taken_out_again(
    served: Served, version: int, change: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    await served.swapper.swap(served.versions[1])
    before = await served.most_likely()
    report = await served.swapper.swap(alter_weights(served.versions[1], version, change))
    assert (report.accepted, report.version) == (False, version)
    assert report.reason
    assert await served.answer_versions() == (1, 1)
    assert await served.most_likely() == before
    assert served.swapper.live == served.versions[1]


async def test_each_token_of_an_answer_names_the_weights_that_made_it(served: Served) -> None:
    tokens = 900
    for _ in range(5):
        answers = await spans_across_a_swap(served, tokens)
        if all(len(spans) == 2 for spans in answers):
            break
    else:
        pytest.fail(f"no swap met all answers in mid-way: {answers}")
    for old, new in answers:
        assert (old["version"], new["version"]) == ("0", "1")
        assert (old["start"], new["end"]) == (0, tokens)
        assert 0 < old["end"] == new["start"] < tokens


async def test_seeded_requests_that_share_a_step_of_the_engine_are_answered(
    served: Served,
) -> None:
    numbers = range(IN_FLIGHT)
    answers = await generate_long(served, SHORT_ANSWER, numbers, numbers)
    assert [len(choice["token_ids"]) for choice in answers] == [SHORT_ANSWER] * IN_FLIGHT
    assert await served.engine.healthy()


async def test_seeded_requests_in_flight_go_through_a_swap(served: Served) -> None:
    assert (await served.swapper.swap(served.versions[0])).accepted
    seeds, same_prompt = range(IN_FLIGHT), [100] * IN_FLIGHT
    held = asyncio.create_task(generate_long(served, LONG_ANSWER, seeds, same_prompt))
    headers = bearer(served.engine.keys.generation)
    async with httpx.AsyncClient(base_url=served.engine.url, headers=headers) as client:
        await wait_for_tokens(client, LONG_ANSWER)
    assert (await served.swapper.swap(served.versions[1])).accepted
    after = await generate_long(served, SHORT_ANSWER, seeds, same_prompt)
    spans = [choice["weight_versions"] for choice in await held]
    assert any(len(versions) == 2 for versions in spans), "no request was in flight in the swap"
    assert all([span["version"] for span in choice["weight_versions"]] == ["1"] for choice in after)


async def test_no_web_page_and_nobody_without_the_control_key_commands_the_server(
    served: Served,
) -> None:
    before, version = await served.most_likely(), await served.answer_versions()
    keys = served.engine.keys
    page = {"origin": "http://evil.example", "sec-fetch-site": "cross-site"}
    senders = [page | {"content-type": form} for form in FORM_TYPES]
    senders += [page | bearer(keys.control), page, {}, bearer(keys.generation), bearer("guess")]
    async with httpx.AsyncClient(base_url=served.engine.url, timeout=30) as client:
        for method, path in CONTROL_CALLS:
            for sender in senders:
                headers = {"content-type": "application/json", **sender}
                reply = await client.request(method, path, content=RPC, headers=headers)
                assert reply.status_code in (401, 403, 404), (path, sender, reply.text)
                assert "access-control-allow-origin" not in reply.headers
        state = await client.get("/is_paused", headers=bearer(keys.control))
        assert state.json() == {"is_paused": False}
    assert await served.answer_versions() == version
    assert await served.most_likely() == before


async def test_what_no_swap_uses_is_not_there_even_with_the_control_key(served: Served) -> None:
    headers = {"content-type": "application/json", **bearer(served.engine.keys.control)}
    offered = [*CONTROL_CALLS, ("GET", "/openapi.json"), ("GET", "/docs"), ("GET", "/metrics")]
    offered += [("POST", "/tokenize"), ("POST", "/v1/responses"), ("POST", "/invocations")]
    async with httpx.AsyncClient(base_url=served.engine.url, timeout=30) as client:
        for method, path in offered:
            route, _, query = path.partition("?")
            if (method, route, query.encode()) not in CONTROL:
                reply = await client.request(method, path, content=RPC, headers=headers)
                assert reply.status_code == 404, (path, reply.text)
        for call in ('{"method":"sleep"}', '{"method":"reload_weights","kwargs":{}}', "[]"):
            reply = await client.post("/collective_rpc", content=call, headers=headers)
            assert reply.status_code == 403
        assert (await client.get("/health")).status_code == 200


async def test_generation_wants_the_key(served: Served) -> None:
    body = {"token_ids": [1, 2], "sampling_params": {"max_tokens": 1}}
    async with httpx.AsyncClient(base_url=served.engine.url, timeout=60) as client:
        for path in ("/v1/completions", "/v1/chat/completions", "/inference/v1/generate"):
            assert (await client.post(path, json=body)).status_code == 401
            refused = await client.post(path, json=body, headers=bearer("guess"))
            assert refused.status_code == 401
        assert (await client.get("/v1/models")).status_code == 401
        key = bearer(served.engine.keys.generation)
        assert (await client.get("/v1/models", headers=key)).status_code == 200
        reply = await client.post("/inference/v1/generate", json=body, headers=key)
        assert reply.status_code == 200
    keyless = VllmPolicy(
        served.engine.url, SERVED_NAME, 30, served.versions[0] / "tokenizer.json", key=""
    )
    turn = Turn(TASK, OBSERVATION, "task: look", Sampling(max_tokens=1))
    with pytest.raises(EpisodeFault, match="answered 401") as denied:
        await keyless.act(turn)
    assert denied.value.reason is InvalidReason.POLICY_DENIED
    await keyless.close()


async def test_truncated_weights_never_reach_the_server(served: Served) -> None:
    weights = served.versions[2] / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    before = await served.answer_versions()
    with pytest.raises(BadVersion, match="truncated"):
        await served.swapper.swap(served.versions[2])
    assert await served.answer_versions() == before


async def test_a_server_that_died_is_a_typed_fault_and_comes_back_as_it_was(
    served: Served, tmp_path: Path
) -> None:
    first, second = publish_random(tmp_path, 2, attention=ATTENTION)
    await served.swapper.swap(first)
    headers = bearer(served.engine.keys.generation)
    async with httpx.AsyncClient(base_url=served.engine.url, headers=headers) as client:
        (old,) = await generate_long(served, 1, [0], [0])
        held = asyncio.create_task(generate_long(served, LONG_ANSWER, [0], [0]))
        await wait_for_tokens(client, LONG_ANSWER)
        assert (await served.swapper.swap(second)).accepted
        (after,) = await generate_long(served, 1, [0], [0])
        await held
    assert served.child.pid is not None
    os.kill(served.child.pid, signal.SIGKILL)
    with pytest.raises(EpisodeFault) as fault:
        await served.answer_versions()
    assert fault.value.reason in (InvalidReason.POLICY_ERROR, InvalidReason.POLICY_TIMEOUT)
    await wait_for_version(served, 1)
    (fresh,) = await generate_long(served, 1, [0], [0])
    assert gap(after, old) > 0.1, "other weights, other answers"
    assert gap(after, fresh) < 0.02, "no cached block of the old weights was used"


def gap(choice: Any, other: Any) -> float:
    """Of the logprob of the same token; endless where the tokens differ."""
    (first,), (second,) = (each["logprobs"]["content"] for each in (choice, other))
    same = choice["token_ids"] == other["token_ids"]
    return abs(float(first["logprob"]) - float(second["logprob"])) if same else math.inf


async def wait_for_version(served: Served, version: int) -> None:
    async with asyncio.timeout(START_S):
        while True:
            try:
                assert await served.answer_versions() == (version, version)
                return
            except (EpisodeFault, AssertionError):
                await asyncio.sleep(1)


def reload_of(folder: Path) -> dict[str, Any]:
    return {"method": "reload_weights", "kwargs": {"weights_path": str(folder)}}


async def test_a_trainer_killed_between_pause_and_resume_does_not_leave_the_server_paused(
    served: Served,
) -> None:
    await served.swapper.swap(served.versions[1])
    before, restarts = await served.most_likely(), served.child.restarts
    await kill_a_swapper_after(served, [("/pause?mode=keep", {})])
    async with asyncio.timeout(120):
        assert await served.answer_versions() == (1, 1)
    assert await served.most_likely() == before
    assert served.child.restarts == restarts, "it resumed; its weights were not touched"


async def test_the_next_trainer_resumes_what_the_killed_one_paused(served: Served) -> None:
    await kill_a_swapper_after(served, [("/pause?mode=keep", {})])
    await served.swapper.release()
    headers = bearer(served.engine.keys.control)
    async with httpx.AsyncClient(base_url=served.engine.url, headers=headers) as client:
        assert (await client.get("/is_paused")).json() == {"is_paused": False}
    assert await served.answer_versions() == (1, 1)


async def test_a_load_that_fails_half_way_puts_the_old_weights_back(served: Served) -> None:
    await served.swapper.swap(served.versions[1])
    before, restarts = await served.most_likely(), served.child.restarts
    broken = alter_weights(served.versions[0], 12, lambda tensor: tensor)
    tensors = load_file(broken / WEIGHTS)
    name = "model.layers.1.mlp.down_proj.weight"
    tensors[name] = tensors[name][:-1].contiguous()
    save_file(tensors, broken / WEIGHTS, metadata={"format": "pt"})
    update = {"sha256": file_sha256(broken / WEIGHTS)}
    manifest = read_manifest_of(broken).model_copy(update=update)
    (broken / MANIFEST).write_text(manifest.model_dump_json())
    report = await swap_as_a_trainer_does(served, broken)
    assert (report.accepted, report.version) == (False, 12)
    assert report.reason.startswith("cannot be loaded")
    assert await served.answer_versions() == (1, 1)
    assert await served.most_likely() == before
    assert served.child.restarts == restarts + 1, "such a load ends the server; it is not repeated"
    assert (await served.swapper.swap(served.versions[0])).accepted


async def swap_as_a_trainer_does(served: Served, folder: Path) -> SwapReport:
    """Again until the server answers, which may be restarted meanwhile."""
    async with asyncio.timeout(START_S):
        while True:
            try:
                return await served.swapper.swap(folder)
            except SwapFailed:
                await asyncio.sleep(1)


async def test_weights_without_a_version_are_never_served(served: Served) -> None:
    """The killed trainer had loaded other weights, under the label of the old ones."""
    await served.swapper.swap(served.versions[1])
    before, restarts = await served.most_likely(), served.child.restarts
    calls = [("/pause?mode=keep", {}), ("/collective_rpc", reload_of(served.versions[0]))]
    await kill_a_swapper_after(served, calls)
    headers = {"content-type": "application/json", **bearer(served.engine.keys.control)}
    async with httpx.AsyncClient(base_url=served.engine.url, headers=headers) as client:
        assert (await client.post("/resume", content=b"")).status_code == 409
    await wait_for_version(served, 1)
    assert await served.most_likely() == before
    assert served.child.restarts > restarts, (
        "it ended itself, and was started with the live version"
    )
