"""Command, environment and readiness of vLLM's OpenAI server for a small policy.

The supervisor of processes runs it. The development routes (pause, reload) are on, therefore the
server always binds to 127.0.0.1.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import orjson

from envs.contract.outcomes import EpisodeFault, InvalidReason

ROOT = Path(__file__).resolve().parents[2]
SERVED_NAME = "policy"


class EngineMissing(Exception):
    """The policy server's environment is not installed."""


def engine_python() -> Path:
    """The interpreter of the policy server's environment. Raises EngineMissing."""
    override = os.environ.get("DESKHAND_VLLM_PYTHON")
    path = Path(override) if override else ROOT / ".venv-vllm" / "bin" / "python"
    if not path.exists():
        raise EngineMissing(
            f"the policy server's environment is missing ({path}); run `make setup`, or set "
            "DESKHAND_VLLM_PYTHON to a Python that has vLLM"
        )
    return path


@dataclass(frozen=True, slots=True)
class VllmEngine:
    """One policy server. `model_dir`: folder of a published version."""

    model_dir: Path
    port: int
    threads: int = 2
    max_model_len: int = 1024
    max_num_seqs: int = 64
    max_batched_tokens: int = 512
    """of one engine step: a swap waits for the step under way, so a long one is a long pause"""

    @property
    def url(self) -> str:
        """Base URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """Command line of the server. Raises EngineMissing."""
        return [
            str(engine_python()),
            "-m",
            "vllm.entrypoints.openai.api_server",
            *("--model", str(self.model_dir)),
            *("--served-model-name", SERVED_NAME),
            *("--host", "127.0.0.1"),
            *("--port", str(self.port)),
            *("--dtype", "bfloat16"),
            *("--max-model-len", str(self.max_model_len)),
            *("--max-num-seqs", str(self.max_num_seqs)),
            *("--max-num-batched-tokens", str(self.max_batched_tokens)),
            *("--logprobs-mode", "processed_logprobs"),
            *("--generation-config", "vllm"),
            "--enforce-eager",
            "--enable-scale-out",
            "--disable-uvicorn-access-log",
            "--disable-log-stats",
        ]

    def environment(self) -> dict[str, str]:
        """Passive OpenMP waiting: spinning threads would starve the browser on the same cores."""
        return {
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
            "VLLM_NO_USAGE_STATS": "1",
            "DO_NOT_TRACK": "1",
            "VLLM_SERVER_DEV_MODE": "1",
            "VLLM_CPU_KVCACHE_SPACE": "1",
            "VLLM_LOGGING_LEVEL": "WARNING",
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "PASSIVE",
            "TOKENIZERS_PARALLELISM": "false",
        }

    async def healthy(self) -> bool:
        """Whether the server answers."""
        return await healthy(self.url)


async def healthy(url: str) -> bool:
    """Whether a policy server answers at the URL."""
    try:
        timeout = aiohttp.ClientTimeout(total=2)
        async with (
            aiohttp.ClientSession(timeout=timeout) as http,
            http.get(f"{url}/health") as reply,
        ):
            return reply.status == 200
    except (aiohttp.ClientError, TimeoutError):
        return False


async def warm_up(url: str, timeout_s: float = 120.0) -> None:
    """Generate once, since the first generation compiles kernels. Raises
    EpisodeFault(policy_error)."""
    body = orjson.dumps(
        {
            "token_ids": [1, 2],
            "sampling_params": {"max_tokens": 4, "logprobs": 0, "prompt_logprobs": 0},
        }
    )
    try:
        async with asyncio.timeout(timeout_s), aiohttp.ClientSession() as http:
            replies = [
                http.post(
                    f"{url}/inference/v1/generate",
                    data=body,
                    headers={"Content-Type": "application/json"},
                )
                for _ in range(8)
            ]
            for reply in await asyncio.gather(*replies):
                reply.raise_for_status()
                await reply.read()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise EpisodeFault(
            InvalidReason.POLICY_ERROR, f"the policy server does not generate: {error!r}"
        ) from error
