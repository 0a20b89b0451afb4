"""Sessions and agents of a worker: env hosts over HTTP, the policy server, oracle, controls,
agents.
"""

from __future__ import annotations

import logging
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from agent_server.agents.config import AgentFileError, load_configured, read_agent
from agent_server.agents.make import Agents
from agent_server.episodes.agent import Agent, Policy
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.led_names import read_lead
from agent_server.episodes.seeing_agent import Fit, SeeingAgent
from agent_server.policy.client import VllmPolicy
from agent_server.policy.controls import BLIND, CONTROLS, POLICIES
from agent_server.policy.delayed import DelayedPolicy
from agent_server.policy.envelope import GuardedPolicy, read_envelope
from agent_server.policy.led import LedPolicy
from agent_server.policy.live import make_fit, make_live_policy
from agent_server.policy.oracle import OraclePolicy
from agent_server.policy.planned import PlannedPolicy
from agent_server.policy.renamed import NAME as RENAMED
from agent_server.policy.renamed import RenamedPolicy, read_naming
from agent_server.policy.shared_policy import SharedPolicy
from agent_server.policy.stumbling import NAME as STUMBLING
from agent_server.policy.stumbling import StumblingOracle
from agent_server.scripts.play import POLICY as SCRIPT
from agent_server.scripts.play import make_script_agent
from agent_server.settings import Settings
from agent_server.store.workers import Offer
from agent_server.worker.hosts import Hosts
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Session
from envs.contract.task import Env, Task
from envs.dialects.pictures import make_blank
from envs.io.settings import read_variable

log = logging.getLogger(__name__)


class HttpBackends:
    """One session pool a host and one policy client a process; opened on the loop that uses them.

    A browser host keeps sessions warm for this worker. A desktop is leased for one episode and
    returned, since other workers need it too; it stays warm in its host."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[Env, Hosts] = {
            "browser": Hosts("browser", settings),
            "desktop": Hosts("desktop", settings),
        }
        self._policy: VllmPolicy | SharedPolicy | None = None
        self._role_endpoint: VllmPolicy | None = None
        self._agents: dict[str, Agents] | None = None
        # Read at the start: that a guard is missing must not show only in an episode.
        self._envelope = None if settings.envelope is None else read_envelope(settings.envelope)
        self._fit: Fit | None = None

    async def open(self) -> None:
        """Find the hosts; those that come later are found when they are needed."""
        for hosts in self._hosts.values():
            await hosts.current()

    def offer(self) -> Offer:
        """What this worker can run, by its settings."""
        settings = self._settings
        hosts = {"browser": settings.host_urls, "desktop": settings.desktop_urls}
        policies = ["oracle", STUMBLING, SCRIPT, *CONTROLS]
        if settings.policy_urls:
            policies += ["live", BLIND if settings.policy_view.shows_pictures else RENAMED]
        try:
            policies += self._known_agents()
        except AgentFileError as error:
            log.warning("no agent can be offered: %s", error)
        envs = tuple(env for env, urls in hosts.items() if urls)
        return Offer(envs, tuple(sorted(policies)), settings.concurrency)

    def session(self, env: Env) -> AbstractAsyncContextManager[Session]:
        """A session on the least busy host; closed, not kept, if the body raises."""
        return self._hosts[env].session()

    def agent(self, name: str, task: Task) -> Agent:
        """The agent of that name for one episode. Raises EpisodeFault."""
        if name == SCRIPT:
            return make_script_agent(task, self.agent)
        if name in (*POLICIES, BLIND) or read_lead(name):
            return self._own_agent(name, task)
        try:
            agents = self._known_agents()
        except AgentFileError as error:
            raise EpisodeFault(InvalidReason.POLICY_DENIED, str(error)) from error
        if name not in agents:
            names = ", ".join(agents) or "none: neither DESKHAND_AGENT nor DESKHAND_AGENTS is set"
            detail = f"the worker knows no agent {name}; it knows {names}"
            raise EpisodeFault(InvalidReason.POLICY_DENIED, detail)
        return agents[name].make(task)

    def _own_agent(self, name: str, task: Task) -> Agent:
        """An agent around one of our policies, which sees what the settings say."""
        policy, view = self._served_policy(name, task), self._settings.policy_view
        if not view.shows_pictures:
            return CompactAgent(task, policy)
        if self._fit is None:
            self._fit = make_fit(self._settings)
        fit, is_blind = self._fit, name == BLIND
        return SeeingAgent(
            task,
            policy,
            view,
            (lambda picture: make_blank(fit(picture))) if is_blind else fit,
            policy_speaks_compact=name != "live" and not is_blind,
        )

    def _known_agents(self) -> dict[str, Agents]:
        """The agents of the settings by name, read once. Raises AgentFileError."""
        if self._agents is None:
            specs = load_configured(self._settings.agents)
            if self._settings.agent is not None:
                job_agent = read_agent(self._settings.agent)
                specs[job_agent.name] = job_agent
            self._agents = {name: Agents(spec) for name, spec in specs.items()}
        return self._agents

    def _served_policy(self, name: str, task: Task) -> Policy:
        delay_s = self._settings.policy_delay_s
        if name == "oracle":
            return DelayedPolicy(OraclePolicy(task), delay_s) if delay_s else OraclePolicy(task)
        if name == STUMBLING:
            return StumblingOracle(task)
        if name in CONTROLS:
            return CONTROLS[name]()
        if self._policy is None:
            # For the first episode that needs it: a worker may start before the policy.
            self._policy = make_live_policy(self._settings)
        policy: Policy = DelayedPolicy(self._policy, delay_s) if delay_s else self._policy
        if self._envelope is not None:
            policy = GuardedPolicy(policy, self._envelope)
        if self._settings.policy_roles.apart:
            return self._with_roles(policy)
        if name == RENAMED:
            return RenamedPolicy(policy, task.id, read_naming(self._settings.run_dir))
        if lead := read_lead(name):
            return LedPolicy(policy, task, lead)
        return policy

    def _with_roles(self, policy: Policy) -> Policy:
        """Planner and grounder as the settings cast them."""
        roles, dialect = self._settings.policy_roles, self._settings.policy_view.dialect
        if roles.endpoint is None:
            return PlannedPolicy(policy, policy, dialect, roles)
        if self._role_endpoint is None:
            there = roles.endpoint
            key = read_variable(there.api_key_env or "").strip()
            if there.api_key_env and not key:
                detail = f"the {roles.endpoint_plays} needs a key: {there.api_key_env} is not set"
                raise EpisodeFault(InvalidReason.POLICY_DENIED, detail)
            self._role_endpoint = VllmPolicy(
                there.server_url, there.model, there.timeout_s, key=key
            )
        if roles.endpoint_plays == "planner":
            return PlannedPolicy(self._role_endpoint, policy, dialect, roles)
        return PlannedPolicy(policy, self._role_endpoint, dialect, roles)

    async def close(self) -> None:
        """Close all sessions and clients."""
        async with AsyncExitStack() as stack:
            for hosts in self._hosts.values():
                stack.push_async_callback(hosts.close)
            if self._policy is not None:
                stack.push_async_callback(self._policy.close)
            if self._role_endpoint is not None:
                stack.push_async_callback(self._role_endpoint.close)
            for agents in (self._agents or {}).values():
                stack.push_async_callback(agents.close)
        self._policy = self._role_endpoint = None
