"""Traces with OpenTelemetry, from a request over worker and host to a swap; off by default.

They are on where OTEL_EXPORTER_OTLP_ENDPOINT names a collector (OTLP over HTTP) and the extra
`deskhand[otel]` is installed. Guarantees: without the variable nothing is recorded or sent, and
OpenTelemetry need not be installed; a collector that is away costs spans and nothing else. The
context goes on in W3C's `traceparent`, in headers of HTTP requests and of messages.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from envs.io.settings import SettingsError, read_variable

try:
    from opentelemetry import context, propagate, trace
except ImportError:  # a box has no OpenTelemetry
    HAS_API = False
else:
    HAS_API = True

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
NAME = "deskhand"


def start_traces(service: str) -> None:
    """Call once, when a process starts. `service`: the process's name in the traces. Raises
    SettingsError, where traces are wanted and the extra is missing."""
    if not read_variable(ENDPOINT):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SettingsError(
            f"{ENDPOINT} is set, and OpenTelemetry is not installed: pip install 'deskhand[otel]', "
            "or unset the variable"
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


@contextlib.contextmanager
def span(name: str, **attributes: str | int | float) -> Iterator[None]:
    """What the body does, as a part of the trace that it belongs to. An underscore in a name of an
    attribute is a dot there: `episode_id` is `episode.id`."""
    if not HAS_API:
        yield
        return
    dotted = {key.replace("_", "."): value for key, value in attributes.items()}
    with trace.get_tracer(NAME).start_as_current_span(name, attributes=dotted):
        yield


def trace_headers() -> dict[str, str]:
    """What a request carries, so that who answers it goes on with the trace. Empty without one."""
    carrier: dict[str, str] = {}
    if HAS_API:
        propagate.inject(carrier)
    # Baggage is the caller's, and may be meant for nobody else.
    return {"traceparent": carrier["traceparent"]} if "traceparent" in carrier else {}


@contextlib.contextmanager
def continued_trace(headers: Mapping[str, str]) -> Iterator[None]:
    """The body belongs to the trace that a request carried, if it carried one."""
    if not HAS_API:
        yield
        return
    token = context.attach(propagate.extract({"traceparent": headers.get("traceparent", "")}))
    try:
        yield
    finally:
        context.detach(token)
