"""The description of an external agent: endpoint or class, dialect, and what it observes.

    dialect = "anthropic_computer"
    base_url = "https://api.anthropic.com"
    model = "..."
    api_key_env = "ANTHROPIC_API_KEY"

Guarantees: the file never holds a key, only the name of the variable that holds it; all errors of a
file are reported at once; the result of `load_agent` needs no other file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from agent_server.episodes.led_names import read_lead
from agent_server.episodes.trajectory import Usage
from envs.contract.validation import suggest_files
from envs.dialects.anthropic_computer import Version as AnthropicVersion
from envs.dialects.coordinates import Absolute, Coordinates, Relative

Sees = Literal["screenshot", "tree"]
RESERVED = frozenset(
    {"live", "renamed", "blind", "oracle", "stumbling", "noop", "infeasible", "random", "script"}
)
"""Names of policies, and that of scripts; so are those that `read_lead` knows."""
_ENTRY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_SECRET = re.compile(r"auth|key|token|secret|cookie", re.I)


class AgentFileError(ValueError):
    """Errors in an agent's description, one line each."""


class _Spec(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    name: str = Field(
        "agent",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$",
        description="in tables and reports; by default that of the file",
    )
    observe: tuple[Sees, ...] = Field(
        ("screenshot", "tree"), min_length=1, description="what it is shown each step"
    )
    tree_chars: int = Field(12_000, ge=200, le=100_000, description="budget of the tree")
    timeout_s: float = Field(120.0, gt=0, le=600, description="longest wait for one answer")


class Endpoint(_Spec):
    """Keys that all dialects over HTTP have."""

    base_url: str = Field(
        description="up to and with /v1 for OpenAI-compatible servers, without it for Anthropic's"
    )
    model: str = Field(min_length=1, description="name of the model at the endpoint")
    api_key_env: str | None = Field(
        None,
        pattern=r"^[A-Za-z_]\w*$",
        description="environment variable that holds the key; none: no key is sent",
    )
    headers: dict[str, str] = Field(
        default_factory=dict, description="further headers; nothing secret"
    )
    body: dict[str, Any] = Field(
        default_factory=dict, description="further fields of every request, put over ours"
    )
    temperature: float | None = Field(None, ge=0, le=2, description="none: the endpoint's default")
    top_p: float | None = Field(None, gt=0, le=1, description="none: the endpoint's default")
    max_tokens: int = Field(4096, ge=1, le=65_536, description="of one answer")
    patience_s: float = Field(
        300.0, ge=0, le=600, description="of an episode for rate limits and failing servers"
    )
    history: int = Field(3, ge=1, le=100, description="how many of the newest pictures it keeps")
    shown: tuple[int, int] | None = Field(
        None, description="width and height of the pictures it gets; none: the screen's own"
    )
    picture_format: Literal["jpeg", "png", "webp"] = Field("jpeg", description="of the pictures")
    picture_quality: int = Field(90, ge=1, le=100, description="of the pictures, not of png")
    system: str | None = Field(
        None,
        description="system prompt, {instruction} in it is the task's; none: ours; '': without",
    )
    price_in: float | None = Field(None, ge=0, description="of a million prompt tokens")
    price_out: float | None = Field(None, ge=0, description="of a million completion tokens")

    def cost_of(self, usage: Usage) -> float | None:
        """In the currency of the prices; None where one is missing."""
        if self.price_in is None or self.price_out is None:
            return None
        return (usage.prompt * self.price_in + usage.completion * self.price_out) / 1e6

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("an http:// or https:// URL")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("no user, password or query in it; keys go through api_key_env")
        return url.rstrip("/")

    @field_validator("headers")
    @classmethod
    def _no_secrets(cls, headers: dict[str, str]) -> dict[str, str]:
        for name in headers:
            if _SECRET.search(name):
                raise ValueError(f"{name} looks secret; the key goes through api_key_env")
        return headers

    @field_validator("shown")
    @classmethod
    def _check_size(cls, shown: tuple[int, int] | None) -> tuple[int, int] | None:
        if shown is not None and not all(16 <= side <= 8192 for side in shown):
            raise ValueError("sides from 16 to 8192 pixels")
        return shown


class _Chat(Endpoint):
    max_tokens_key: Literal["max_tokens", "max_completion_tokens"] = Field(
        "max_tokens", description="what max_tokens is called; OpenAI's newer models want the second"
    )
    send_seed: bool = Field(False, description="send each step's sampling seed")


class _Looks(Endpoint):
    """Dialects that cannot do without pictures."""

    observe: tuple[Sees, ...] = Field(
        ("screenshot",), min_length=1, description='with "tree": the tree as text besides'
    )

    @field_validator("observe")
    @classmethod
    def _needs_pictures(cls, observe: tuple[Sees, ...]) -> tuple[Sees, ...]:
        if "screenshot" not in observe:
            raise ValueError('needs "screenshot": the dialect acts by points of pictures')
        return observe


class OpenAITools(_Chat):
    """Chat completions with one function an action."""

    dialect: Literal["openai_tools"]
    api_tools: bool = Field(
        False, description="name the environment's tools in the system prompt; on for api tasks"
    )


class CompactChat(_Chat):
    """Chat completions in plain text: one line a thought, one an action."""

    dialect: Literal["compact"]
    observe: tuple[Sees, ...] = Field(
        ("tree",), min_length=1, description='what it is shown; with "screenshot": pictures besides'
    )

    @field_validator("observe")
    @classmethod
    def _needs_the_tree(cls, observe: tuple[Sees, ...]) -> tuple[Sees, ...]:
        if "tree" not in observe:
            raise ValueError('needs "tree": the dialect calls elements by their names')
        return observe


class OpenAIComputer(_Looks):
    """Responses with computer calls."""

    dialect: Literal["openai_computer"]
    environment: str | None = Field(
        None,
        description='declares computer_use_preview for "browser", "ubuntu", ...; none: computer',
    )
    acknowledge: bool = Field(
        False, description="acknowledge safety checks; without, a call that has some is refused"
    )


class AnthropicComputer(_Looks):
    """Messages with computer tool blocks."""

    dialect: Literal["anthropic_computer"]
    tool_version: AnthropicVersion = Field("computer_20250124", description="type of the tool")
    beta: str | None = Field(
        None, description="the anthropic-beta header; none: the one of the tool's version"
    )
    zoom: bool = Field(False, description="offer zoom; computer_20251124 has it")

    @field_validator("zoom")
    @classmethod
    def _has_zoom(cls, zoom: bool, info: Any) -> bool:
        if zoom and info.data.get("tool_version") != "computer_20251124":
            raise ValueError("only computer_20251124 has it")
        return zoom


class UiTars(_Looks, _Chat):
    """UI-TARS' text over chat completions."""

    dialect: Literal["uitars"]
    coordinates: Literal["relative", "absolute"] = Field(
        "relative", description="0 to 1000 (1.0, Doubao's), or pixels after resizing (1.5)"
    )
    min_pixels: int = Field(Absolute().min_pixels, ge=1, description="the engine's, for absolute")
    max_pixels: int = Field(Absolute().max_pixels, ge=1, description="the engine's, for absolute")

    @property
    def points(self) -> Coordinates:
        """How coordinates are meant."""
        if self.coordinates == "relative":
            return Relative()
        return Absolute(self.min_pixels, self.max_pixels)


class OSWorldText(_Chat):
    """OSWorld's action spaces in code blocks, over chat completions."""

    dialect: Literal["osworld"]
    action_space: Literal["pyautogui", "computer_13"] = Field(
        "pyautogui", description="which of them our system prompt asks for; both are read"
    )


class PythonClass(_Spec):
    """A class with `reset(task)` and `act(observation) -> actions`."""

    dialect: Literal["python"]
    entry: str = Field(pattern=f"^{_ENTRY.pattern}$", description="module:Class")
    path: str | None = Field(None, description="folder to import from, besides installed packages")
    options: dict[str, Any] = Field(
        default_factory=dict, description="keyword arguments of the class"
    )


AnyEndpoint = OpenAITools | CompactChat | OpenAIComputer | AnthropicComputer | UiTars | OSWorldText
AgentSpec = Annotated[AnyEndpoint | PythonClass, Field(discriminator="dialect")]
_spec: TypeAdapter[AgentSpec] = TypeAdapter(AgentSpec)


def names_agent(policy: str) -> bool:
    """Whether the text names an agent's file or class, and not a policy of Deskhand."""
    return policy.endswith((".toml", ".json")) or _ENTRY.fullmatch(policy) is not None


def load_agent(named: str) -> AgentSpec:
    """Load a TOML or JSON file, or `module:Class` (working directory). Raises AgentFileError, also
    for a name that is a policy's, which a worker would run in its place."""
    agent = _load_named(named)
    if agent.name in RESERVED or read_lead(agent.name):
        message = f"{agent.name!r} is the name of a policy; set another `name` in the agent's file"
        raise AgentFileError(f"{named}: {message}")
    return agent


def _load_named(named: str) -> AgentSpec:
    if _ENTRY.fullmatch(named):
        name = named.rpartition(":")[2]
        return _validate_spec(
            {"dialect": "python", "entry": named, "name": name, "path": str(Path.cwd())}, named
        )
    path = Path(named)
    data = {"name": path.stem, **_content(path)}
    if "system_file" in data:
        data["system"] = _text(path.parent / str(data.pop("system_file")))
    if data.get("dialect") == "python":
        data["path"] = str((path.parent / str(data.get("path", "."))).resolve())
    return _validate_spec(data, named)


def read_agent(path: Path) -> AgentSpec:
    """Read a description that a job wrote. Raises AgentFileError."""
    return _validate_spec(_content(path), str(path))


def load_configured(files: Iterable[Path]) -> dict[str, AgentSpec]:
    """The agents of these files by name. Raises AgentFileError, also for a name that two have."""
    agents: dict[str, AgentSpec] = {}
    for file in files:
        agent = load_agent(str(file))
        if agent.name in agents:
            raise AgentFileError(f"{file}: the name {agent.name!r} is taken; set another `name`")
        agents[agent.name] = agent
    return agents


def _content(path: Path) -> dict[str, Any]:
    text = _text(path)
    try:
        data = orjson.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except ValueError as error:
        raise AgentFileError(f"{path} is not valid {path.suffix[1:].upper()}: {error}") from error
    if not isinstance(data, dict):
        raise AgentFileError(f"{path} holds no object")
    return data


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError as error:
        message = f"cannot read {path}: there is no such file{suggest_files(path)}"
        raise AgentFileError(message) from error
    except (OSError, UnicodeDecodeError) as error:
        raise AgentFileError(f"cannot read {path}: {error}") from error


def _validate_spec(data: dict[str, Any], where: str) -> AgentSpec:
    try:
        return _spec.validate_python(data)
    except ValidationError as error:
        raise AgentFileError("\n".join(_sentences(error, where))) from error


def _sentences(error: ValidationError, where: str) -> list[str]:
    """The values themselves are left out: one of them may be a key in the wrong place."""
    lines = []
    for problem in error.errors(include_input=False):
        keys = [str(part) for part in problem["loc"] if part not in DIALECTS]
        message = problem["msg"].removeprefix("Value error, ")
        lines.append(f"{where}: {'.'.join(keys)}: {message}" if keys else f"{where}: {message}")
    return lines


KINDS: dict[str, type[_Spec]] = {
    get_args(kind.model_fields["dialect"].annotation)[0]: kind
    for kind in (*get_args(AnyEndpoint), PythonClass)
}
DIALECTS = frozenset(KINDS)


def key_help(dialect: str) -> str:
    """One line a key of a dialect's file."""
    lines = []
    for name, field in KINDS[dialect].model_fields.items():
        default = (
            "needed"
            if field.is_required()
            else f"default {field.get_default(call_default_factory=True)!r}"
        )
        lines.append(f"{name}: {field.description or dialect} ({default})")
    return "\n".join(lines)
