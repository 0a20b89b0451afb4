"""The tables of docs/figures.md, filled in from the JSON files of the benchmarks.

Guarantees: a figure in a table is that of the file, with its commit and machine below; text outside
the two marked blocks is not touched. `deskhand bench all` rewrites the blocks, and a test compares
them with the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from agent_server.provenance import ROOT
from benchmarks.result import Result
from envs.io.atomic_write import write_whole

PAGE = ROOT / "docs/figures.md"
RESULTS = ROOT / "docs/results/bench"


@dataclass(frozen=True, kw_only=True)
class Row:
    """`label` says what was measured in benchmark `part`; `figures` by name, in this order."""

    label: str
    part: str
    figures: tuple[str, ...]
    aim: str = ""


FAMILIES = ("qwen3", "qwen3-tied", "qwen2.5-vl", "qwen3-vl", "glm-4.1v")

BLOCKS: Mapping[str, tuple[Row, ...]] = {
    "loop": (
        Row(
            label="act and read the page over HTTP",
            part="browser",
            figures=("browser.act_tree_ms",),
            aim="7 ms",
        ),
        Row(
            label="pages of the shop loaded by Chromium alone, nobody acts or reads: a page; "
            "processor time",
            part="browser",
            figures=("browser.floor_load_ms", "browser.floor_cpu_ms"),
        ),
        Row(label="reset to a fresh task", part="browser", figures=("browser.reset_ms",)),
        Row(
            label="environment steps/s, 8 sessions, no policy, resets included",
            part="browser",
            figures=("browser.steps_per_s",),
            aim="150",
        ),
        Row(
            label="act and read the page in the web gyms; reset",
            part="gyms",
            figures=("gyms.act_tree_ms", "gyms.reset_ms"),
            aim="8 ms; 100 ms",
        ),
        Row(
            label="the first page of a gym's app loaded by Chromium alone",
            part="gyms",
            figures=("gyms.floor_load_ms",),
        ),
        Row(
            label="pause of a verified swap under 32 requests in flight; failed requests",
            part="policy",
            figures=("policy.swap_pause_ms", "policy.swap_failed_requests"),
        ),
        Row(
            label="learner, 3.7 M parameters, bf16; against a padded transformers loop",
            part="learner",
            figures=("learner.tokens_per_s", "learner.speedup"),
        ),
        Row(
            label="first paint of the console; age of a picture on its wall of 200 sessions",
            part="console",
            figures=("console.paint_ms", "console.wall_lag_ms"),
            aim="300 ms",
        ),
        Row(
            label="a step of a replayed script; scripts that hold on changed sites",
            part="script",
            figures=("script.step_ms", "script.held"),
        ),
        Row(
            label="attacks in page texts that pass the guard; false alarms",
            part="guard",
            figures=("guard.through", "guard.false_alarms"),
        ),
    ),
    "models": (
        Row(
            label="learner's logprobs beside transformers' own, fp32, largest difference: Qwen3, "
            "with a tied head, Qwen2.5-VL, Qwen3-VL, GLM-4.1V",
            part="models",
            figures=tuple(f"models.{family}.parity" for family in FAMILIES),
            aim="1e-4",
        ),
        Row(
            label="vLLM's beside the learner's, bf16, mean difference: the same five",
            part="models",
            figures=tuple(f"models.{family}.serve_parity" for family in FAMILIES),
            aim="0.02",
        ),
        Row(
            label="the same on prompts with pictures: Qwen2.5-VL, Qwen3-VL, GLM-4.1V",
            part="models",
            figures=tuple(f"models.{family}.serve_parity_image" for family in FAMILIES[2:]),
            aim="0.05",
        ),
        Row(
            label="verified swap of an adapter under 16 requests in flight; requests and swaps "
            "that failed",
            part="models",
            figures=("models.lora.swap_ms", "models.lora.failed"),
            aim="200 ms; 0",
        ),
    ),
    "scale": (
        Row(
            label="reads of 500 clients while 64 episodes run and 20 consoles are open; errors",
            part="api",
            figures=("api.read_ms", "api.errors"),
            aim="200 ms (p95); 0",
        ),
        Row(
            label="4,096 hosts on PostgreSQL and Redis: episodes sent; a lease; a heartbeat; "
            "statements that read a table whole",
            part="scale",
            figures=(
                "scale.dispatch_per_s",
                "scale.lease_ms",
                "scale.heartbeat_ms",
                "scale.table_scans",
            ),
        ),
        Row(
            label="a model of the scheduler against real sessions (4, 8, 16): largest error",
            part="scale_model",
            figures=("scale.model_error",),
            aim="15%",
        ),
    ),
    "desktops": (
        Row(
            label="act and a JPEG of 1280x720 over HTTP",
            part="desktop",
            figures=("desktop.act_jpeg_ms",),
            aim="20 ms",
        ),
        Row(
            label="of which Calc itself draws; clicks whose picture shows all that they changed",
            part="desktop",
            figures=("desktop.floor_drawn_ms", "desktop.picture_final"),
        ),
        Row(label="accessibility tree of Calc", part="desktop", figures=("desktop.tree_calc_ms",)),
        Row(
            label="reset; with a workbook opened anew",
            part="desktop",
            figures=("desktop.reset_ms", "desktop.reset_opens_calc_ms"),
        ),
        Row(
            label="memory (PSS) of a desktop with Calc open; of each of the desktops below",
            part="desktop",
            figures=("desktop.pss_mb", "desktop.alive_pss_mb"),
        ),
        Row(
            label="desktops alive, one action a second each",
            part="desktop",
            figures=("desktop.alive",),
        ),
        Row(
            label="a tool call that sets a cell of the open document; one that reads forty",
            part="desktop",
            figures=("desktop.tool_ms", "desktop.tool_read_ms"),
            aim="15 ms",
        ),
        Row(
            label="an evaluation's task without the agent's steps; with its documents changed",
            part="eval",
            figures=("eval.overhead_ms", "eval.changed_overhead_ms"),
            aim="2 s",
        ),
    ),
}
"""The marked blocks of the page and the rows of their tables."""


def read_results(folder: Path = RESULTS) -> dict[str, Result]:
    """Results by benchmark, of those that have a file in the folder."""
    return {path.stem: orjson.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}


def render_block(rows: tuple[Row, ...], results: Mapping[str, Result]) -> str:
    """A table of the rows whose benchmark has a result, and where those were measured."""
    rows = tuple(row for row in rows if row.part in results)
    lines = ["| figure | median | p95 | aim | command |", "|---|---|---|---|---|"]
    lines += [_render_row(row, results[row.part]) for row in rows]
    commits: dict[str, list[str]] = {}
    for part in dict.fromkeys(row.part for row in rows):
        commits.setdefault(results[part]["device"], []).append(
            f"{part} at commit {results[part]['commit']}"
        )
    for device, measured in commits.items():
        lines += ["", f"Measured on {device}: {', '.join(measured)}."]
    return "\n".join(lines)


def _render_row(row: Row, result: Result) -> str:
    figures = [result["figures"][name] for name in row.figures]
    medians = "; ".join(_format(figure["p50"], figure["unit"]) for figure in figures)
    tails = "; ".join(
        _format(figure["p95"], figure["unit"]) for figure in figures if "p95" in figure
    )
    command = row.part.replace("_", " --part ")
    source = f"`deskhand bench {command}`, [JSON](results/bench/{row.part}.json)"
    return f"| {row.label} | {medians} | {tails} | {row.aim} | {source} |"


def _format(value: float, unit: str) -> str:
    """Three digits are enough: no benchmark repeats itself more closely. Small differences of
    logprobs keep two."""
    if 0 < abs(value) < 0.01:
        return f"{value:.1e} {unit}"
    digits = max(0, 3 - len(str(int(abs(value))))) if value != int(value) else 0
    return f"{value:,.{digits}f} {unit}"


def fill_in(text: str, results: Mapping[str, Result]) -> str:
    """The page with its blocks made anew. Raises ValueError where a block's marks are missing."""
    for name, rows in BLOCKS.items():
        before, begin, rest = text.partition(f"<!-- figures: {name} -->\n")
        _, end, after = rest.partition(f"\n<!-- end of figures: {name} -->")
        if not begin or not end:
            raise ValueError(f"docs/figures.md has no block of figures {name!r}")
        text = before + begin + render_block(rows, results) + end + after
    return text


def update_page() -> None:
    """Rewrites the blocks of docs/figures.md from the files in docs/results/bench."""
    write_whole(PAGE, [fill_in(PAGE.read_text(), read_results()).encode()])
