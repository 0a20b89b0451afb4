"""What a program needs of a Deskhand server: `from deskhand import Client`."""

from agent_server.api.evaluation_models import EvaluationRequest
from agent_server.api.models import TaskRequest
from agent_server.api.script_models import ScriptCall, ScriptRequest
from agent_server.api.session_models import ForkRequest, SessionRequest
from agent_server.client.async_client import AsyncClient
from agent_server.client.client import Client
from agent_server.client.connection import ApiProblem, ApiUnreachable, TaskEvent

__all__ = (
    "ApiProblem",
    "ApiUnreachable",
    "AsyncClient",
    "Client",
    "EvaluationRequest",
    "ForkRequest",
    "ScriptCall",
    "ScriptRequest",
    "SessionRequest",
    "TaskEvent",
    "TaskRequest",
)
