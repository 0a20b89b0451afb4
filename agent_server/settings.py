"""Settings of the server's processes, read from environment variables `DESKHAND_*`.

Guarantees: on one machine only the run folder has to be set; everything else has an embedded
default inside that folder. How variables are read: `envs/io/settings.py`.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from envs.desktop.size import SIZE, parse_size, size_text
from envs.dialects.roles import TOGETHER, Roles
from envs.dialects.view import View
from envs.host.guard import token_for
from envs.io.settings import PREFIX, AssetsFolder, EnvironmentSettings, HostToken

Urls = Annotated[tuple[str, ...], NoDecode]
"""Comma-separated in the environment."""


class Settings(EnvironmentSettings):
    """Settings of one process; `to_env` gives a child process the same ones."""

    run_dir: Path = Field(Path("runs/default"), description="folder of the run")
    database_url: str = Field(
        "", description="SQLAlchemy URL; empty: deskhand.db (SQLite) in the run folder"
    )
    broker_url: str = Field(
        "", description="Redis or RabbitMQ URL; empty: files in broker/ of the run folder"
    )
    artifacts_url: str = Field(
        "", description="folder or fsspec URL (s3://bucket/x); empty: the run folder"
    )
    assets: AssetsFolder = None
    host_urls: Urls = Field((), description="browser hosts, comma-separated URLs")
    desktop_urls: Urls = Field(
        (), description="desktop hosts, one desktop each, comma-separated URLs"
    )
    host_token: HostToken = ""
    host_signing_key: str = Field(
        "",
        repr=False,
        description="Ed25519 key (PEM) that signs the tokens of env hosts, one for each address; "
        "they know its public key",
    )
    host_tokens_differ: bool = Field(
        False, description="each env host has a token of its own, derived from the one above"
    )
    host_image: str = Field(
        "", description="image of the env hosts, NAME@sha256:...; evaluations over HTTP name it"
    )
    desktop_screen: str = Field(
        size_text(SIZE), description="WxH of the desktops; evaluations over HTTP name it"
    )
    sessions_per_host: int = Field(16, ge=1, description="sessions a worker leases from one host")
    policy_urls: Urls = Field(
        (), description="policy servers that share all episodes' turns, comma-separated URLs"
    )
    policy_key: str = Field("", repr=False, description="key that the policy server asks for")
    policy_control_key: str = Field(
        "", repr=False, description="key of the policy server's swaps; only a trainer needs it"
    )
    policy_model: str = Field("policy", description="model name that the policy server serves")
    policy_tokenizer: Path | None = Field(
        None,
        description="tokenizer.json of the policy, in the run folder if not absolute; "
        "with it, tokens go in and come out",
    )
    policy_max_model_len: int = Field(
        1024, ge=64, description="longest prompt and answer of the policy, tokens"
    )
    policy_view: View = Field(
        View(), description="what our own policies are shown, as JSON; see docs/howto/models.md"
    )
    policy_roles: Roles = Field(
        TOGETHER, description="planner and grounder of our policy, as JSON; see docs/roles.md"
    )
    policy_timeout_s: float = Field(60.0, gt=0, description="longest wait for one policy answer")
    policy_delay_s: float = Field(
        0.0,
        ge=0,
        description="added to each answer of the policy or the oracle, for measurements: as if it "
        "were served elsewhere",
    )
    envelope: Path | None = Field(
        None,
        description="file of `deskhand eval envelope`: a served policy that leaves it is stopped "
        "(docs/envelope.md); for workers",
    )
    agent: Path | None = Field(
        None, description="file of an agent that is not served here (docs/agents.md)"
    )
    agents: Annotated[tuple[Path, ...], NoDecode] = Field(
        (),
        description="files of agents (docs/agents.md), comma-separated; evaluations over HTTP name "
        "them; for workers and the HTTP API",
    )
    secrets: Path | None = Field(
        None,
        description="file of secrets that tasks may name (docs/howto/tasks.md); for workers and "
        "the HTTP API",
    )
    profile_keys: Path | None = Field(
        None,
        description="file of keys that saved log-in state is encrypted with (`deskhand profiles "
        "key FILE`); for workers and the HTTP API",
    )
    webhooks: Path | None = Field(
        None,
        description="file of who is told when a task ends (docs/howto/tasks.md); for the HTTP API",
    )
    api_key: str = Field("", repr=False, description="key that clients of the HTTP API send")
    max_body_mb: int = Field(8, ge=1, le=1024, description="largest request body of the HTTP API")
    max_header_kb: int = Field(
        32, ge=1, le=1024, description="largest headers of a request to the HTTP API"
    )
    request_timeout_s: float = Field(
        30.0, gt=0, description="a request to the HTTP API arrives whole within this time"
    )
    max_sessions: int = Field(
        8, ge=0, le=1024, description="sessions that callers of the HTTP API have open; 0: none"
    )
    session_share: float = Field(
        0.5,
        gt=0,
        le=1,
        description="of the env hosts' sessions that callers of the HTTP API may have, of each "
        "kind; at least one",
    )
    session_max_s: float = Field(
        3600.0, gt=0, le=86_400, description="longest time of a caller's session"
    )
    pause_max_s: float = Field(
        3600.0,
        gt=0,
        le=86_400,
        description="a task that is paused for longer in all ends; it holds its session",
    )
    lease_s: float = Field(20.0, gt=0, description="an episode is lost this long after a heartbeat")
    heartbeat_s: float = Field(
        5.0, gt=0, validate_default=True, description="how often a worker renews its leases"
    )
    drain_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        description="a worker that is told to end lets its episodes run for so long, an API its "
        "sessions; what still runs then is handed back. Give whoever kills them 15 s more",
    )
    hang_s: float = Field(
        30.0, gt=0, description="a worker whose event loop hangs for this long ends itself"
    )
    alive_file: Path | None = Field(
        None, description="file that a worker touches twice a second while it works"
    )
    concurrency: int = Field(32, ge=1, le=1024, description="episodes in flight in one worker")
    tree_chars: int = Field(3000, ge=200, le=100_000, description="budget of a page tree")
    tree_options: int = Field(
        12, ge=0, description="drop-downs with at most this many options list them in a page tree"
    )
    films: bool = Field(False, description="record a film of each episode on a desktop")
    min_free_mb: int = Field(64, ge=0, description="no episode starts with less free disk space")
    reap_s: float = Field(1.0, gt=0, description="how often lost episodes are looked for")
    resend_after_s: float = Field(
        10.0, gt=0, description="a queued episode whose message is gone is sent again after this"
    )
    keep_days: float = Field(
        30.0,
        ge=0,
        description="deskhand prune keeps tasks of the API, and episodes of training runs that "
        "have finished, for so many days; those of evaluations for ever",
    )
    keep_versions: int = Field(
        5, ge=2, description="deskhand prune keeps the newest policy versions, and those in use"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="how much a worker writes to its log"
    )

    @field_validator("desktop_screen")
    @classmethod
    def _check_screen(cls, text: str) -> str:
        return size_text(parse_size(text))

    @field_validator("host_urls", "desktop_urls", "policy_urls", "agents", mode="before")
    @classmethod
    def _split_list(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("host_urls", "desktop_urls", "policy_urls")
    @classmethod
    def _check_http(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for url in value:
            if not url.startswith(("http://", "https://")):
                raise ValueError(f"{url!r} is not an http:// or https:// URL")
        return value

    @field_validator("heartbeat_s")
    @classmethod
    def _check_heartbeat(cls, value: float, info: Any) -> float:
        lease_s = info.data.get("lease_s")
        if lease_s is not None and value * 2 > lease_s:
            raise ValueError(f"must be at most half of {PREFIX}LEASE_S ({lease_s:g})")
        return value

    @cached_property
    def database(self) -> str:
        """SQLAlchemy URL of the database."""
        return self.database_url or f"sqlite:///{self.run_dir.resolve() / 'deskhand.db'}"

    @cached_property
    def artifacts(self) -> str:
        """Folder or fsspec URL of the artifacts."""
        return self.artifacts_url or str(self.run_dir.resolve())

    @cached_property
    def broker_dir(self) -> Path | None:
        """Folder of the filesystem transport; None with a real broker."""
        return None if self.broker_url else self.run_dir.resolve() / "broker"

    def token_of_host(self, url: str) -> str | None:
        """The bearer token of the env host at this URL; None: it asks for none."""
        if self.host_token and self.host_tokens_differ:
            return token_for(self.host_token, url)
        return self.host_token or None

    def to_env(self) -> dict[str, str]:
        """Variables for a child process; folders made absolute."""
        values: dict[str, Any] = self.model_dump() | {"run_dir": self.run_dir.resolve()}
        for name in ("assets", "agent", "alive_file", "profile_keys"):
            if values[name] is not None:
                values[name] = values[name].resolve()
        values["agents"] = tuple(path.resolve() for path in values["agents"])
        return {
            PREFIX + name.upper(): _variable(value)
            for name, value in values.items()
            if value not in ("", (), None)
        }


def _variable(value: Any) -> str:
    """A setting as `EnvironmentSettings` reads it again."""
    match value:
        case tuple():
            return ",".join(map(str, value))
        case dict():
            return json.dumps(value)
    return str(value)


class CommandSettings(EnvironmentSettings):
    """Settings of the commands of one machine."""

    vllm_python: Path | None = Field(
        None,
        description="interpreter of an environment that has vLLM; empty: that of .venv-vllm",
    )
    debug: str = Field(
        "", description="any value: commands print tracebacks instead of one-line errors"
    )


class ClientSettings(EnvironmentSettings):
    """Where the HTTP API is, for programs that do not say it themselves."""

    api_url: str = Field("http://127.0.0.1:8000", description="base URL of the HTTP API")
    api_key: str = Field("", repr=False, description="key that clients of the HTTP API send")
