"""What a client sent, as the database keeps it: refused here if a worker could not read it back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import orjson
from pydantic import BaseModel, ValidationError

from agent_server.api.errors import ApiError


def storable(model: BaseModel) -> dict[str, Any]:
    """As the database keeps it. Raises ApiError(422) if a worker could not read that back."""
    try:
        plain: dict[str, Any] = orjson.loads(orjson.dumps(model.model_dump(mode="json")))
        type(model).model_validate(plain)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        detail = f"{where}: must be a finite value; {first['msg']}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    except (ValueError, TypeError, RecursionError) as error:
        name = type(model).__name__.lower()
        detail = f"{name}: holds what cannot be stored: {str(error)[:200]}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    return plain
