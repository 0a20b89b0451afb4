"""What is said between `judge` and the process it starts: JSON, checked on both sides."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Limits(BaseModel):
    """Of one call of a metric. Seconds, bytes."""

    model_config = ConfigDict(frozen=True)
    wall_s: float = Field(default=60, gt=0)
    cpu_s: int = Field(default=60, gt=0)
    memory: int = Field(default=4 * 1024**3, gt=0)
    file_size: int = Field(default=1024**3, gt=0)
    open_files: int = Field(default=256, gt=0)


class File(BaseModel):
    kind: Literal["file"] = "file"
    path: Path


class Files(BaseModel):
    kind: Literal["files"] = "files"
    paths: list[Path]


class Data(BaseModel):
    kind: Literal["data"] = "data"
    value: JsonValue


Value = Annotated[File | Files | Data, Field(discriminator="kind")]


class Call(BaseModel):
    metric: str
    compat: bool
    arguments: list[Value]
    """result, and expected if there is one"""
    options: dict[str, JsonValue]
    limits: Limits


class Reply(BaseModel):
    """Just one of them."""

    score: float | None = None
    error: str | None = None


def packed(value: Any) -> File | Files | Data:
    """Raises ValueError for what is neither a path, a list of paths, nor JSON."""
    if isinstance(value, Path):
        return File(path=value)
    if isinstance(value, list) and value and all(isinstance(each, Path) for each in value):
        return Files(paths=value)
    return Data(value=value)


def unpacked(value: File | Files | Data) -> Any:
    if isinstance(value, File):
        return value.path
    return value.paths if isinstance(value, Files) else value.value
