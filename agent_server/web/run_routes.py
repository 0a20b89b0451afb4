"""/console/runs: training runs and evaluations, and one training run with its curves."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agent_server.api.errors import ApiError
from agent_server.api.runs import get_run, list_runs
from agent_server.api.state import State
from agent_server.html.run_plots import PLOTS, RunPlot
from agent_server.web.page_route import PageRoute, is_piece
from agent_server.web.pages import HEADERS, render
from agent_server.web.rows import describe_age
from agent_server.web.run_folder import RunFolder

router = APIRouter(prefix="/console/runs", include_in_schema=False, route_class=PageRoute)

PATH = "/console/runs"
SHOWN_VERSIONS = 20
PLOT_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A picture carries its style in itself; it runs nothing and loads nothing."""
BY_NAME = {entry.name: entry for entry in PLOTS}


@router.get("")
def show_runs(state: State) -> HTMLResponse:
    """Training runs, evaluations and the tasks of the API, newest first."""
    now = datetime.now(UTC)
    rows = [(run, describe_age(run.created_at, now)) for run in list_runs(state)]
    return render("runs.html", path=PATH, rows=rows)


@router.get("/{run_id}")
def show_run(request: Request, run_id: str, state: State, mark: str = "") -> Response:
    """A training run. `mark`: what the asking page shows; it is not drawn again for the same."""
    run = get_run(run_id, state)
    if run.kind == "eval":
        return RedirectResponse(f"/console/evaluations/{run_id}")
    folder = RunFolder.find(state.settings.run_dir, run_id)
    current = folder.mark() if folder else ""
    if is_piece(request) and run.status == "running" and mark == current:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    versions = state.store.runs.versions(run_id)
    return render(
        "run_live.html" if is_piece(request) else "run.html",
        path=PATH,
        run=run,
        age=describe_age(run.created_at, datetime.now(UTC)),
        mark=current,
        has_folder=folder is not None,
        figures=_list_figures(folder.report) if folder and folder.report else [],
        phases=folder.phases if folder else [],
        plots=_plots_with_data(folder) if folder else [],
        versions=list(reversed(versions))[:SHOWN_VERSIONS],
    )


@router.get("/{run_id}/plots/{name}.svg")
def show_plot(run_id: str, name: str, state: State, look: str = "light") -> Response:
    """One plot as a picture; `look` is light or dark."""
    folder = RunFolder.find(state.settings.run_dir, run_id)
    if folder is None or name not in BY_NAME:
        raise ApiError(HTTPStatus.NOT_FOUND, f"run {run_id[:80]!r} has no plot {name[:80]!r} here")
    svg = BY_NAME[name].render(_report_of(folder), folder.events(), is_dark=look == "dark")
    headers = HEADERS | {"Content-Security-Policy": PLOT_POLICY}
    return Response(str(svg), media_type="image/svg+xml", headers=headers)


def _report_of(folder: RunFolder) -> dict[str, Any]:
    return {"phases": folder.phases, "episodes": folder.report.get("episodes")}


def _plots_with_data(folder: RunFolder) -> list[RunPlot]:
    """Those that the run has something for, by now."""
    report, events = _report_of(folder), folder.events()
    return [entry for entry in PLOTS if entry.has_data(report, events)]


def _list_figures(report: dict[str, Any]) -> list[tuple[str, str]]:
    """The large numbers of a report in words; what was not measured is left out."""
    throughput, staleness = report.get("throughput", {}), report.get("staleness", {})
    idle = throughput.get("idle") or {}
    difference = report.get("mismatch", {}).get("abs_logprob_mean")
    figures = [
        ("wall clock", report.get("wall_s"), "{:.0f} s"),
        ("environment steps", throughput.get("env_steps_per_s"), "{:.1f}/s"),
        ("tokens trained on", throughput.get("trained_tokens_per_s"), "{:.0f}/s"),
        ("staleness, mean", staleness.get("mean"), "{:.2f} versions"),
        ("staleness, worst", staleness.get("max"), "{} versions"),
        ("train/serve difference", difference, "{:.4f} nats"),
        ("swap pause p50", report.get("swaps", {}).get("pause_ms", {}).get("p50"), "{:.0f} ms"),
    ]
    figures += [(f"{part} idle", share, "{:.0%}") for part, share in idle.items()]
    return [(title, form.format(value)) for title, value, form in figures if value is not None]
