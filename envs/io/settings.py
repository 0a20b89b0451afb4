"""Settings from environment variables `DESKHAND_*`: the base of all, and those of `envs`.

Guarantees: every setting has a vetted default and one line of help; a bad value is refused with one
sentence that names the variable; a value may come from the file that VARIABLE_FILE names. No other
module reads a setting from `os.environ` (ruff's TID251 checks it).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from envs.contract.outcomes import EpisodeFault, InvalidReason

PREFIX = "DESKHAND_"
AssetsFolder = Annotated[
    Path | None,
    Field(description="folder of a mirror of the files that tasks name (deskhand assets mirror)"),
]
HostToken = Annotated[str, Field(repr=False, description="bearer token that the env hosts ask for")]


class SettingsError(ValueError):
    """A variable that cannot be used; the message says which one and what it should be."""


class EnvironmentSettings(BaseSettings):
    """Base of settings. `Model(...)` takes only its arguments, `Model.from_env()` the environment.
    A field that is not shown (`repr=False`) is a secret."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments only: who opens another run's folder must not get this run's settings."""
        return (init_settings,)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Self:
        """Read the environment, or the variables in `environ`. Raises SettingsError."""
        source = EnvSettingsSource(cls)
        source.env_vars = cls._read_variables(os.environ if environ is None else environ)
        values = source()
        try:
            return cls(**values)
        except ValidationError as error:
            raise SettingsError(cls._sentence(error, values)) from error

    @classmethod
    def variables(cls) -> list[str]:
        """Names of the environment variables, one a field."""
        return [PREFIX + name.upper() for name in cls.model_fields]

    @classmethod
    def _read_variables(cls, environ: Mapping[str, str]) -> dict[str, str | None]:
        """Variables that are not empty, by lower-case name, as EnvSettingsSource looks them up."""
        values: dict[str, str | None] = {}
        for variable in cls.variables():
            file = environ.get(f"{variable}_FILE")
            try:
                value = Path(file).read_text().strip() if file else environ.get(variable)
            except OSError as error:
                raise SettingsError(f"{variable}_FILE={file!r}: {error.strerror}") from error
            if value:
                values[variable.lower()] = value
        return values

    @classmethod
    def _sentence(cls, error: ValidationError, values: Mapping[str, object]) -> str:
        parts = []
        for problem in error.errors():
            name = str(problem["loc"][0])
            field = cls.model_fields[name]
            message = problem["msg"].removeprefix("Value error, ")
            value = f"={str(values.get(name))!r}" if field.repr else ""
            parts.append(f"{PREFIX}{name.upper()}{value}: {message} ({field.description or name})")
        return "; ".join(parts)


class EnvSettings(EnvironmentSettings):
    """Settings of hosts, of what starts them and of what judges."""

    applications: Path = Field(
        Path("~/.local/share/deskhand/applications"),
        description="folder of applications of others that are gyms (scripts/setup.sh "
        "applications)",
    )
    assets: AssetsFolder = None
    browser_box: Literal["bubblewrap", "landlock", "none"] = Field(
        "bubblewrap",
        description="what keeps a browser from this machine; landlock: where no namespaces are to "
        "be had, as in a container; none: something else does, such as a virtual machine around it",
    )
    browser_memory_mb: int = Field(
        4096,
        ge=0,
        description="megabytes that one browser may take (with 16 busy sessions it takes less than "
        "half of the default); 0: any",
    )
    cache: Path = Field(
        Path("~/.cache/deskhand"),
        description="folder of what is remembered of this machine, such as whether KVM works",
    )
    chromium: str = Field(
        "", description="path or name of the Chromium to start; empty: the first that is installed"
    )
    sites: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="sites on this machine that tasks with a start_url may open, comma-separated "
        "URLs",
    )
    judge: str = Field(
        "bubblewrap",
        pattern=r"^(bubblewrap|none|unix:.+)$",
        description="where metrics judge an agent's files: bubblewrap, unix:PATH of a judge's "
        "socket, or none for the rights of this process",
    )
    host_token: HostToken = ""
    host_token_sha256: str = Field(
        "", repr=False, description="SHA-256 of the host's token, for a host that is not told it"
    )
    host_public_key: str = Field(
        "",
        repr=False,
        description="Ed25519 public key (PEM): the host admits the tokens signed for its address",
    )
    gym_admin_token: str = Field(
        "", repr=False, description="token of the gym server's admin routes, for server and hosts"
    )

    worlds: Path | None = Field(
        None,
        description="folder of generated web gyms (deskhand gym generate), found before those that "
        "Deskhand has",
    )

    @field_validator("sites", mode="before")
    @classmethod
    def _split_sites(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part for part in re.split(r"[,\s]+", value) if part)
        return value

    @classmethod
    def take(cls) -> Self:
        """Read the environment and take the secrets out of it, which programs started from now on
        inherit. Raises SettingsError."""
        settings = cls.from_env()
        for name, field in cls.model_fields.items():
            if not field.repr:
                os.environ.pop(PREFIX + name.upper(), None)
                os.environ.pop(f"{PREFIX}{name.upper()}_FILE", None)
        return settings

    @classmethod
    def from_env_or_fault(cls, reason: InvalidReason) -> Self:
        """`from_env` during an episode. Raises EpisodeFault(reason)."""
        try:
            return cls.from_env()
        except SettingsError as error:
            raise EpisodeFault(reason, str(error)) from error


def read_variable(name: str) -> str:
    """The value of a variable whose name is a user's choice, such as that of an endpoint's key, or
    of another program, such as DOCKER_HOST; empty where it is not set."""
    return os.environ.get(name, "")
