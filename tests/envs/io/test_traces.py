"""Spans go on with a trace that came from outside; without a collector nothing is done."""

from __future__ import annotations

import subprocess
import sys

import pytest

from envs.io.settings import SettingsError
from envs.io.traces import continued_trace, span, start_traces, trace_headers

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_without_a_collector_nothing_is_started_or_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    start_traces("test")
    with span("work", episode_id="e1"):
        assert trace_headers() == {}


def test_what_a_request_carries_is_carried_on() -> None:
    with continued_trace({"traceparent": PARENT}):
        assert trace_headers() == {"traceparent": PARENT}
    assert trace_headers() == {}


@pytest.mark.parametrize("sent", [{}, {"traceparent": ""}, {"traceparent": "nonsense\r\nx: y"}])
def test_what_is_no_trace_begins_none(sent: dict[str, str]) -> None:
    with continued_trace(sent):
        assert trace_headers() == {}


def test_a_collector_without_the_extra_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(
        SettingsError, match=r"OTEL_EXPORTER_OTLP_ENDPOINT is set.*deskhand\[otel\]"
    ):
        start_traces("test")


def test_a_box_needs_no_opentelemetry() -> None:
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from envs.io import traces\n"
        "with traces.continued_trace({}), traces.span('x'): print(traces.trace_headers())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "{}\n"
