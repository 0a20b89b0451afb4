"""Client of a vLLM policy server: a prompt in, sampled token ids with their logprobs out.

With the policy's own tokenizer the prompt is sent as token ids to the engine's token-in/token-out
route, whose answer names the weight version of every token: the exact record that training needs.
Without it (a policy served elsewhere) it is an OpenAI chat completion.

Guarantees: ids and logprobs are the engine's own; every call has a timeout; a connection that
breaks while the server restarts is tried again within a bound (sampling twice does no harm: the
first answer was never seen); faults are typed.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import orjson
from tokenizers import Tokenizer

from agent_server.episodes.agent import Turn
from agent_server.episodes.answer_status import get_fault_of_status
from agent_server.episodes.trajectory import Completion
from agent_server.policy.engine import bearer
from agent_server.policy.manifest import PromptFormat, read_prompt_format
from agent_server.policy.pictured_prompt import PicturedPrompt, PromptMisread
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.dialects.pictures import data_url
from envs.io.json_client import CallFailed, JsonClient, NoAnswer

VERSION_HEADER = "x-deskhand-version"
"""As the server's guard says it (`inside/policy_guard.py`)."""
CONNECT_TRIES = 3
RETRY_S = 0.5


def version_number(label: str) -> int:
    """The number in vLLM's label of a weight version; 0 for "default", before any swap."""
    return int(label) if label.isdigit() else 0


def load_tokenizer(file: Path) -> Tokenizer:
    """A tokenizer for which all text is data: <|im_end|> on a page is encoded by its letters."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.encode_special_tokens = True
    return tokenizer


class VllmPolicy:
    """See `agent_server.episodes.agent.Policy`."""

    def __init__(
        self,
        base_url: str,
        model: str,
        timeout_s: float = 60.0,
        tokenizer: Path | None = None,
        key: str = "",
        max_model_len: int | None = None,
    ) -> None:
        """`tokenizer`: tokenizer.json of a published version, whose prompt.json lies beside it.
        `max_model_len`: longest prompt and answer; the beginning of a longer prompt, which
        is of the page, is cut off.

        Raises BadVersion where prompt.json is missing or damaged."""
        self._client = JsonClient(base_url, timeout_s=timeout_s, headers=bearer(key))
        self._model = model
        self._tokenizer = None if tokenizer is None else load_tokenizer(tokenizer)
        self._format = None if tokenizer is None else read_prompt_format(tokenizer.parent)
        self._max_model_len = max_model_len

    async def act(self, turn: Turn) -> Completion:
        """Raises EpisodeFault(policy_timeout | policy_error | policy_refused | policy_denied)."""
        started = time.perf_counter()
        if self._tokenizer is None or self._format is None:
            completion = await self._chat(turn)
        else:
            completion = await self._tokens(self._tokenizer, self._format, turn)
        return completion.model_copy(update={"latency_s": round(time.perf_counter() - started, 5)})

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _tokens(
        self, tokenizer: Tokenizer, prompt_format: PromptFormat, turn: Turn
    ) -> Completion:
        sampling, limit = turn.sampling, self._max_model_len
        prompt = PicturedPrompt(prompt_format, turn.pictures)
        room = None if limit is None else prompt.room(limit, sampling.max_tokens)
        text_ids = tokenizer.encode(turn.prompt, add_special_tokens=False).ids
        ids = prompt.expand(text_ids, room)
        body: dict[str, Any] = {
            **prompt.request(text_ids, room),
            "sampling_params": {
                "temperature": sampling.temperature,
                "top_p": sampling.top_p,
                "max_tokens": sampling.max_tokens,
                "seed": sampling.seed,
                "logprobs": 0,
                "stop_token_ids": list(prompt_format.ends),
                "detokenize": False,
                **prompt.sampling(),
            },
        }
        data, adapter = await self._post("/inference/v1/generate", body)
        choice = data["choices"][0]
        token_ids = choice["token_ids"]
        versions = [version_number(span["version"]) for span in choice["weight_versions"] or ()]
        if adapter is not None:  # the engine's own label is that of the weights below it
            versions = [version_number(adapter)]
        try:
            pictures = prompt.check(ids, data)
        except PromptMisread as error:
            raise EpisodeFault(InvalidReason.POLICY_ERROR, str(error)) from error
        return Completion(
            text=tokenizer.decode(token_ids, skip_special_tokens=True),
            prompt_ids=tuple(ids),
            pictures=pictures,
            token_ids=tuple(token_ids),
            logprobs=tuple(entry["logprob"] for entry in choice["logprobs"]["content"]),
            version_min=min(versions, default=0),
            version_max=max(versions, default=0),
            finish_reason=choice["finish_reason"] or "stop",
        )

    async def _chat(self, turn: Turn) -> Completion:
        sampling = turn.sampling
        images = [
            {"type": "image_url", "image_url": {"url": data_url(picture)}}
            for picture in turn.pictures
        ]
        content: Any = [*images, {"type": "text", "text": turn.prompt}] if images else turn.prompt
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "logprobs": True,
            "return_token_ids": True,
        }
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        data, _ = await self._post("/v1/chat/completions", body)
        choice = data["choices"][0]
        content = (choice.get("logprobs") or {}).get("content") or []
        return Completion(
            text=choice["message"]["content"] or "",
            prompt_ids=tuple(data.get("prompt_token_ids") or ()),
            token_ids=tuple(choice.get("token_ids") or ()),
            logprobs=tuple(entry["logprob"] for entry in content),
            finish_reason=choice["finish_reason"] or "stop",
        )

    async def _post(self, path: str, body: dict[str, Any]) -> tuple[Any, str | None]:
        """The answer, and the version of the adapter that gave it; None without one."""
        try:
            reply = await self._client.call(
                "POST", path, orjson.dumps(body), tries=CONNECT_TRIES, pause_s=RETRY_S
            )
        except NoAnswer as error:
            raise EpisodeFault(
                InvalidReason.POLICY_TIMEOUT,
                f"no answer from the policy server within {self._client.timeout_s:g} s",
            ) from error
        except CallFailed as error:
            raise EpisodeFault(
                InvalidReason.POLICY_ERROR, f"policy server {self._client.base_url}: {error}"
            ) from error
        if reply.status != 200:
            detail = f"policy server answered {reply.status}: {reply.excerpt}"
            raise EpisodeFault(get_fault_of_status(reply.status), detail)
        return reply.json(), reply.headers.get(VERSION_HEADER)
