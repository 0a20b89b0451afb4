"""What worker, API and policy server get of this process's settings and environment.

Guarantees: none gets a secret that it has no use for: the worker no key of the HTTP API, the API no
key of the policy server, and the token of the env hosts only where it may lend sessions; none but
that server its control key. What an operator sets for others (keys of model endpoints, object
stores, proxies) reaches them by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent_server.agents.config import (
    AgentFileError,
    Endpoint,
    load_configured,
    read_agent,
)
from agent_server.settings import Settings
from envs.io.child_process import inherited_environment
from envs.io.settings import PREFIX

_STORES = ("AWS_", "AZURE_", "GOOGLE_", "GCP_", "S3_", "FSSPEC_")
"""Of the libraries that read and write artifacts at a URL."""
_DATABASES = ("PG",)
_TRACES = "OTEL_"
"""Of OpenTelemetry; a collector's key may be among them, so a host gets its address only."""
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
_ENGINE = ("CUDA", "NVIDIA_", "NCCL_", "GLOO_", "VLLM_", "TORCH", "PYTORCH_", "TRITON_", "HF_H")
"""Of vLLM and what it computes with; of Hugging Face's the folders, not the token."""


def worker_environment(settings: Settings) -> dict[str, str]:
    """For `python -m agent_server.worker`. A Python agent of the operator's gets what the operator
    set: it may do what a worker may do."""
    variables = _without(settings, "api_key", "policy_control_key") | _of_stores(settings)
    role = settings.policy_roles.endpoint
    if role is not None and role.api_key_env:
        variables |= inherited_environment(role.api_key_env)
    try:
        agents = list(load_configured(settings.agents).values())
        agents += [] if settings.agent is None else [read_agent(settings.agent)]
    except AgentFileError:
        return variables  # the worker says so, where an episode needs it
    if not agents:
        return variables
    endpoints = [agent for agent in agents if isinstance(agent, Endpoint)]
    if len(endpoints) < len(agents):
        return inherited_environment(kinds=("",)) | variables
    keys = [agent.api_key_env for agent in endpoints if agent.api_key_env]
    return variables | inherited_environment(*keys, *_PROXIES)


def api_environment(settings: Settings) -> dict[str, str]:
    """For `python -m agent_server.api`."""
    unused = ["policy_key", "policy_control_key"]
    if not settings.max_sessions:
        unused += ["host_token", "host_signing_key"]
    return _without(settings, *unused) | _of_stores(settings)


def engine_environment(own: Mapping[str, str]) -> dict[str, str]:
    """For the policy server, whose `own` variables hold."""
    return {**inherited_environment(kinds=_ENGINE), **own}


def _without(settings: Settings, *secrets: str) -> dict[str, str]:
    variables = settings.to_env()
    for name in secrets:
        variables.pop(PREFIX + name.upper(), None)
    return variables


def _of_stores(settings: Settings) -> dict[str, str]:
    kinds = (_TRACES, *(_STORES if settings.artifacts_url else ()))
    return inherited_environment(kinds=(*kinds, *(_DATABASES if settings.database_url else ())))
