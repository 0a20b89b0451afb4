"""A console with something on each of its pages, for the tests that open it in a real browser."""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from agent_server.api.evaluation_models import EvaluationRequest
from agent_server.api.models import TaskRequest
from agent_server.api.script_models import ScriptRequest
from agent_server.client.client import Client
from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.scripts.make import make_script
from agent_server.settings import Settings
from agent_server.store.approvals import ApprovalStatus
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import Episode, PolicyVersion
from agent_server.store.workers import Offer
from envs.contract.actions import ActionError, ActionResult, Navigate
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from tests.agent_server.api_process import KEY, Api, running_api
from tests.agent_server.scripts.recorded import TASK
from tests.agent_server.scripts.recorded import record as record_script
from tests.agent_server.toy_env import toy_task
from tests.agent_server.web.evaluation_trials import end_trials
from tests.agent_server.web.questions import ask
from tests.agent_server.web.training_run import RUN, end_training, start_training

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}}
"""What axe checks."""
TREES_ARE_THERE = (
    "[...document.querySelectorAll('.more')].every(step => step.querySelector('.tree'))"
)
"""Of a page whose details are open: what each step read has been fetched."""
QUESTIONS = (None, ApprovalStatus.TAKEN)


@dataclass(frozen=True, slots=True)
class FilledConsole:
    """`ids`: a task that is done, one that failed, one that waits, an evaluation that has ended
    and one that runs. `questions`: pages of one that waits for a person, and one that a person
    took over."""

    api: Api
    settings: Settings
    ids: list[str]
    questions: list[str]

    def start_task(self, words: str) -> str:
        """A task that waits for a worker; its id."""
        with Client(self.api.url, KEY) as client:
            request = TaskRequest(instruction=words, start_url="http://127.0.0.1:9/")
            return client.create_task(request).id

    def paths(self) -> list[str]:
        """Every page, below /console/; the form to sign in last."""
        done, failed, _, ended, running = self.ids
        pages = ["tasks", f"tasks/{done}", f"tasks/{failed}", "wall", "new", "runs", f"runs/{RUN}"]
        pages += ["evaluations", "evaluations/new", f"evaluations/{ended}"]
        pages += [f"evaluations/{running}", f"evaluations/{ended}/tasks"]
        pages += [f"evaluations/compare?first={ended}&second={running}"]
        pages += ["approvals", *self.questions]
        pages += ["scripts", f"scripts?task={done}", "scripts/phone"]
        pages += ["policy", "gyms", "keys", "system", "tasks/nowhere"]
        return [*pages, "sign-in"]


@contextlib.contextmanager
def fill_console(run_dir: Path) -> Iterator[FilledConsole]:
    """An API in a process of its own, and what it shows."""
    settings = Settings(run_dir=run_dir, api_key=KEY, policy_urls=("http://127.0.0.1:9",))
    start_training(settings)
    end_training(settings)
    with running_api(settings) as api, Client(api.url, KEY) as client:
        ids = []
        for words in ("Find the cheapest blue shirt", "Cancel the order", "Wait for a worker"):
            request = TaskRequest(instruction=words, start_url="http://127.0.0.1:9/")
            ids.append(client.create_task(request).id)
        record(settings, ids[0], EpisodeResult(Status.UNJUDGED, EndReason.DONE, answer="$12.50"))
        failure = EpisodeResult(Status.UNJUDGED, EndReason.STEP_LIMIT)
        record(settings, ids[1], failure)
        for targets, solved in (((1, 2, 3), [True, False, True]), ((1, 2), [False])):
            tasks = [toy_task(target) for target in targets]
            evaluation = client.create_evaluation(EvaluationRequest(tasks=tasks, policy="live"))
            end_trials(settings, evaluation.id, solved)
            ids.append(evaluation.id)
        add_system(settings)
        script = make_script("phone", TASK, record_script())
        client.create_script(ScriptRequest(name="phone", script=script))
        approvals = (ask(settings, ids[1], make_picture(), status) for status in QUESTIONS)
        questions = [f"tasks/{ids[1]}/approvals/{approval_id}" for approval_id in approvals]
        yield FilledConsole(api, settings, ids, questions)


def add_system(settings: Settings) -> None:
    """Policy versions, a key, a worker that takes nothing, and a task that was lost for good."""
    with Store.open(settings) as store:
        for version, status in ((1, "live"), (2, "rejected"), (3, "live")):
            verify = {"mean_abs_diff": 0.002} | ({"reason": "2.1 nats"} if version == 2 else {})
            path = f"/runs/smoke/policy/v{version}"
            row = PolicyVersion(
                run_id="api", version=version, path=path, sha256="4fc2" * 16, phase="reinforce"
            )
            store.runs.set_version(store.runs.add_version(row), status, verify=verify, pause_ms=41)  # type: ignore[arg-type]
        store.keys.create("ci-nightly", "run", days=30, per_minute=600)
        store.keys.create("dashboard", "read")
        store.workers.report("worker-1", Offer(("browser",), ("live",), 4), "the broker is away")
        task = {"id": "t", "instruction": "Send the signed contract to the landlord"}
        store.episodes.create([Episode(id="lost", run_id="api", purpose="api", task=task)])
        store.episodes.lease("lost", "worker-1")
        fault = EpisodeFault(InvalidReason.UNRUNNABLE, "DESKHAND_DESKTOP_URLS names no host")
        assert store.episodes.finish("lost", "worker-1", EpisodeResult.invalid(fault))
        store.workers.leave("worker-1")


def record(settings: Settings, task_id: str, result: EpisodeResult | None) -> None:
    """Two steps of a task, and its end."""
    with Store.open(settings) as store:
        assert store.episodes.lease(task_id, "test") is not None
        with Recorder(Artifacts(settings.artifacts), task_id) as recorder:
            for index in range(2):
                refused = ActionResult.failure(ActionError.NOT_FOUND, "there is no Cart")
                step = Step(
                    index=index,
                    prompt="",
                    completion=Completion(text="open the cart\nclick Cart (2)"),
                    tree="[1] heading Shop\n[2] link Cart (2)\n[3] button Buy now",
                    thought="The cheapest one is at the top of the list.",
                    action=Navigate(url="http://shop.test/a/long/address/that/has/no/place?q=1"),
                    result=refused if index else ActionResult.success(),
                    refused_hosts=("tracker.test",) if index else (),
                    url="http://shop.test/",
                    screenshot=recorder.save_screenshot(index, make_picture()),
                    timings_ms={"policy": 1200.0, "env": 300.0},
                )
                recorder.record_step(step)
            if result is not None:
                recorder.finish(result, {})
        if result is not None:
            assert store.episodes.finish(task_id, "test", result)


def make_picture() -> Screenshot:
    file = io.BytesIO()
    Image.new("RGB", (640, 480), "#dde3ee").save(file, "JPEG")
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="jpeg", width=640, height=480, data=data)
