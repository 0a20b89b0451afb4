"""Refuses input that a worker could not read back from the database."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from agent_server.api.errors import ApiError

Model = TypeVar("Model", bound=BaseModel)


def storable(model: BaseModel) -> dict[str, Any]:
    """The model as JSON for the database. Raises ApiError(422) if a worker could not read that
    back."""
    return _round_trip(model)[0]


def read_back(model: Model) -> Model:
    """The model as a worker will read it from the database. Raises ApiError(422)."""
    return _round_trip(model)[1]


def _round_trip(model: Model) -> tuple[dict[str, Any], Model]:
    try:
        plain: dict[str, Any] = orjson.loads(orjson.dumps(model.model_dump(mode="json")))
        return plain, type(model).model_validate(plain)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(str(part) for part in first["loc"])
        detail = f"{path}: must be a finite value; {first['msg']}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    except (ValueError, TypeError, RecursionError) as error:
        name = type(model).__name__.lower()
        detail = f"{name}: holds what cannot be stored: {str(error)[:200]}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
