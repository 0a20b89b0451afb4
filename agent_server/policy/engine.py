"""Command, environment and readiness of vLLM's OpenAI server for a small policy.

The supervisor of processes runs it. The development routes (pause, reload) are on: the server binds
to 127.0.0.1, and `inside/policy_guard.py` stands before it, with a key for generation and another
one for the routes of a swap.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import orjson

from agent_server.episodes.answer_status import DENYING
from agent_server.policy.compute_dtype import server_dtype
from agent_server.policy.engine_options import ON_ONE_DEVICE, EngineOptions
from agent_server.settings import CommandSettings, Settings
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.json_client import CallFailed, JsonClient
from envs.io.probe import is_healthy

ROOT = Path(__file__).resolve().parents[2]
INSIDE_FOLDER = Path(__file__).resolve().parent / "inside"
"""The engine's interpreter finds its start and the guard here, and nothing else of ours."""
KEY_BYTES = 24
WARM_UP_CALLS = 8
WARM_UP_S = 600.0
"""Twenty seconds on an idle machine that never compiled its kernels; a busy one takes many times as
long."""
SERVED_NAME = "policy"
MAX_SOCKET_FOLDER = 64
"""The path of a Unix socket has at most 107 bytes; vLLM adds an id of 36 and a slash."""
LORA_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""Widths for which vLLM makes room."""
LORA_TARGETS = (
    *("q_proj", "k_proj", "v_proj", "qkv_proj", "o_proj"),
    *("gate_proj", "up_proj", "gate_up_proj", "down_proj"),
)
"""Layers that may have an adapter, by the names of models and by those of vLLM's joined ones."""


class EngineMissing(Exception):
    """The policy server's environment is not installed."""


def engine_python() -> Path:
    """The interpreter of the policy server's environment. Raises EngineMissing."""
    path = CommandSettings.from_env().vllm_python or ROOT / ".venv-vllm" / "bin" / "python"
    if not path.exists():
        raise EngineMissing(
            f"the policy server's environment is missing ({path}); run `make setup`, or set "
            "DESKHAND_VLLM_PYTHON to a Python that has vLLM"
        )
    return path


@dataclass(frozen=True, slots=True)
class PolicyKeys:
    """Bearer keys of one policy server. `generation` asks the model; `control` also swaps its
    weights. They travel in the environment, never in a command line."""

    generation: str = field(default_factory=lambda: secrets.token_urlsafe(KEY_BYTES), repr=False)
    control: str = field(default_factory=lambda: secrets.token_urlsafe(KEY_BYTES), repr=False)

    @classmethod
    def from_env(cls) -> PolicyKeys:
        """The user's keys; new ones where none are set."""
        new, settings = cls(), Settings.from_env()
        return cls(
            settings.policy_key or new.generation, settings.policy_control_key or new.control
        )


@dataclass(frozen=True, slots=True)
class VllmEngine:
    """One policy server. `model_dir`: folder of a published version."""

    model_dir: Path
    port: int
    keys: PolicyKeys = field(default_factory=PolicyKeys)
    threads: int = 2
    max_model_len: int = 1024
    max_num_seqs: int = 64
    step_tokens: int = 512
    """of one engine step, unless a prompt may be longer: a swap waits for the step under way, so a
    long one is a long pause"""
    settle_s: float = 30.0
    """how long a swap may stand still before the guard ends it"""
    sockets: Path | None = None
    """see `socket_folder`; None: where vLLM puts them itself, which is /tmp"""
    lora_rank: int = 0
    """of the widest adapter that may be loaded; 0: none"""
    pictures: int = 0
    """in a prompt at most; 0: the model is sent none"""
    options: EngineOptions = ON_ONE_DEVICE

    @property
    def url(self) -> str:
        """Base URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """Command line of the server. Raises EngineMissing."""
        return [
            str(engine_python()),
            "-m",
            "policy_server",
            *("--model", str(self.model_dir)),
            *("--served-model-name", SERVED_NAME),
            *("--host", "127.0.0.1"),
            *("--port", str(self.port)),
            *("--dtype", server_dtype()),
            *("--max-model-len", str(self.max_model_len)),
            *("--max-num-seqs", str(self.max_num_seqs)),
            *("--max-num-batched-tokens", str(max(self.step_tokens, self.max_model_len))),
            # A prompt read in pieces takes back what a seeded request sampled after each piece, and
            # that ends the engine on a CPU, whose random generators cannot go back.
            "--no-enable-chunked-prefill",
            *("--logprobs-mode", "processed_logprobs"),
            *("--generation-config", "vllm"),
            *("--middleware", "policy_guard.PolicyGuard"),
            *self.options.arguments(),
            *self._lora_options(),
            *self._picture_options(),
            "--enforce-eager",
            "--enable-scale-out",
            "--disable-uvicorn-access-log",
            "--disable-log-stats",
        ]

    def _lora_options(self) -> list[str]:
        """Two adapters run at once: the live one, and the one before for requests that began with
        it."""
        if not self.lora_rank:
            return []
        rank = min(rank for rank in LORA_RANKS if rank >= self.lora_rank)
        options = ["--enable-lora", "--max-loras", "2", "--max-cpu-loras", "4"]
        # The head is left out: with an adapter's head, asking for logprobs of a prompt ends the CPU
        # engine, and so would each verification.
        options += ["--lora-target-modules", *LORA_TARGETS]
        return [*options, "--max-lora-rank", str(rank)]

    def _picture_options(self) -> list[str]:
        if not self.pictures:
            return []
        most = orjson.dumps({"image": self.pictures, "video": 0}).decode()
        # vLLM (0.32) would take the normalisation out of the model's processor and do it itself.
        # Where preprocessor_config.json leaves mean and deviation to the family's defaults, the
        # tower would then read raw pixels.
        # A swap empties vLLM's caches of read pictures, one in each of two processes, one after the
        # other. A request between them is answered 500, for one process counts on the other's.
        uncached = ["--mm-processor-cache-gb", "0"]
        return ["--limit-mm-per-prompt", most, "--no-mm-device-do-normalize", *uncached]

    def environment(self) -> dict[str, str]:
        """Passive OpenMP waiting: spinning threads would starve the browser on the same cores."""
        sockets = {} if self.sockets is None else {"VLLM_RPC_BASE_PATH": str(self.sockets)}
        return {
            **sockets,
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
            "VLLM_NO_USAGE_STATS": "1",
            "DO_NOT_TRACK": "1",
            "VLLM_SERVER_DEV_MODE": "1",
            "PYTHONPATH": str(INSIDE_FOLDER),
            "VLLM_API_KEY": "",  # a key of vLLM's own guards fewer routes, and would refuse ours
            "DESKHAND_POLICY_KEY": self.keys.generation,
            "DESKHAND_POLICY_CONTROL_KEY": self.keys.control,
            "DESKHAND_POLICY_SETTLE_S": str(self.settle_s),
            "VLLM_CPU_KVCACHE_SPACE": str(self.options.cache_gib),
            "VLLM_LOGGING_LEVEL": "WARNING",
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "PASSIVE",
            "TOKENIZERS_PARALLELISM": "false",
            "VLLM_ALLOW_RUNTIME_LORA_UPDATING": str(int(self.lora_rank > 0)),
        }

    async def healthy(self) -> bool:
        """Whether the server answers."""
        return await is_healthy(f"{self.url}/health")


@contextlib.contextmanager
def socket_folder(run_dir: Path) -> Iterator[Path]:
    """Where the processes of a policy server meet: a killed one leaves its sockets. In the run
    folder, if the path of a socket may be that long; removed at the end, and what a run before left
    at the beginning."""
    folder = run_dir / "sockets"
    if len(os.fsencode(folder)) > MAX_SOCKET_FOLDER:
        folder = Path(tempfile.mkdtemp(prefix="deskhand-policy-"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def bearer(key: str) -> dict[str, str]:
    """The header that carries a key; none for a server without keys."""
    return {"Authorization": f"Bearer {key}"} if key else {}


async def warm_up(url: str, key: str, timeout_s: float = WARM_UP_S) -> None:
    """Generate once, since the first generation compiles kernels. Raises
    EpisodeFault: policy_denied where the key is refused, else policy_error."""
    body = orjson.dumps(
        {
            "token_ids": [1, 2],
            "sampling_params": {"max_tokens": 4, "logprobs": 0, "prompt_logprobs": 0},
        }
    )
    try:
        async with JsonClient(url, timeout_s=timeout_s, headers=bearer(key)) as client:
            path = "/inference/v1/generate"
            calls = [client.call("POST", path, body) for _ in range(WARM_UP_CALLS)]
            replies = await asyncio.gather(*calls)
    except CallFailed as error:
        raise EpisodeFault(
            InvalidReason.POLICY_ERROR, f"the policy server does not generate: {error}"
        ) from error
    for reply in replies:
        if reply.status != HTTPStatus.OK:
            is_denied = reply.status in DENYING
            raise EpisodeFault(
                InvalidReason.POLICY_DENIED if is_denied else InvalidReason.POLICY_ERROR,
                f"the policy server does not generate: HTTP {reply.status}",
            )
