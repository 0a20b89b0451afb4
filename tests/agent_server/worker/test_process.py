"""A request and the episode that it starts are one trace; a worker's lines name their episode."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from agent_server.settings import Settings
from tests.agent_server.api_process import KEY, PATIENCE_S, running_api
from tests.agent_server.toy_env import toy_task
from tests.agent_server.worker_processes import StartWorker

pytest.importorskip("opentelemetry.sdk")
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"


class Collector:
    """Takes spans as any collector does, over HTTP; `spans`: (service, name, trace, episode)."""

    def __init__(self) -> None:
        self.spans: set[tuple[str, str, str, str]] = set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.path == "/v1/traces":
                    collector.take(ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def take(self, request: ExportTraceServiceRequest) -> None:
        for part in request.resource_spans:
            service = {entry.key: entry.value.string_value for entry in part.resource.attributes}
            for span in (span for scope in part.scope_spans for span in scope.spans):
                attributes = {entry.key: entry.value.string_value for entry in span.attributes}
                episode = attributes.get("episode.id", "")
                name = (service["service.name"], span.name, span.trace_id.hex(), episode)
                self.spans.add(name)


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    yield collector
    collector.server.shutdown()
    collector.server.server_close()
    thread.join(10)


def test_a_request_its_message_and_its_episode_are_one_trace(
    settings: Settings, start_worker: StartWorker, collector: Collector, tmp_path: Path
) -> None:
    settings = settings.model_copy(update={"api_key": KEY, "log_level": "DEBUG"})
    task = toy_task().model_dump(mode="json")
    with running_api(settings) as api, api.client() as client:
        start_worker(settings)
        headers = {"traceparent": f"00-{TRACE_ID}-b7ad6b7169203331-01"}
        made = client.post("/v1/tasks", json={"task": task}, headers=headers)
        assert made.status_code == 201, made.text
        task_id = made.json()["id"]
        deadline = time.monotonic() + PATIENCE_S
        expected = {("worker", name, TRACE_ID, task_id) for name in ("message", "episode")}
        while not expected <= collector.spans and time.monotonic() < deadline:
            time.sleep(0.1)
        assert expected <= collector.spans
        assert any(span[0] == "api" and span[2] == TRACE_ID for span in collector.spans)
    lines = (tmp_path / "worker-0.log").read_text().splitlines()
    assert "Logging error" not in "".join(lines)
    assert all(" [" in line for line in lines if " agent_server." in line)
