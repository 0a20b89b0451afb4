"""`deskhand bench gpu`, and `python3 -m benchmarks.gpu` where little else is installed.

Learners of real shapes with random weights, and swaps between two processes, one after another in
processes of their own; what each of them says goes to a log beside the JSON. After each part the
JSON is written, so that a machine that is taken away leaves what was measured. No part begins after
`--seconds`, and a running one is ended then.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from agent_server.provenance import ROOT, commit
from benchmarks.figures import Figure

DEVICE = "cuda"
SWAP = "swap"
SWAP_SIZE, SWAPS = "4B", 5
PARTS: dict[str, dict[str, Any]] = {
    "1.7B": {"size": "1.7B", "micro_tokens": 16_384, "step_tokens": 98_304, "parity": True},
    "4B": {
        "size": "4B",
        "micro_tokens": 5_120,
        "step_tokens": 49_152,
        "moments": "bfloat16",
        "steps": 5,
    },
    SWAP: {},
    "4B-checkpoint": {
        "size": "4B",
        "micro_tokens": 8_192,
        "step_tokens": 49_152,
        "checkpoint": True,
        "steps": 4,
    },
    "0.6B": {"size": "0.6B", "micro_tokens": 16_384, "step_tokens": 131_072, "steps": 4},
    "1.7B-eager": {
        "size": "1.7B",
        "micro_tokens": 8_192,
        "step_tokens": 98_304,
        "compile": False,
        "steps": 3,
    },
}
"""By the beginning of their figures' names."""


def run(
    json_file: Path | None,
    parts: Sequence[str] = tuple(PARTS),
    seconds: float = 900,
    checkout: str = "",
) -> None:
    """Measures the parts in turn, prints the figures and writes them to `json_file`; `checkout` is
    the commit where there is no git.

    Raises SystemExit with one sentence where there is no CUDA device."""
    if not torch.cuda.is_available():
        raise SystemExit(
            f"deskhand bench gpu needs a CUDA device; PyTorch {torch.__version__} sees none here"
        )
    end = time.monotonic() + seconds
    target = json_file or Path("gpu.json")
    figures: dict[str, Figure] = {}
    for part in parts:
        left = end - time.monotonic()
        if left < 5:
            print(f"{part}: no time left", flush=True)
            break
        figures |= _run_part(part, target.with_suffix(".log"), left)
        write_figures(target, figures, checkout or commit())
    print("\n".join(describe(figures)), flush=True)


def _run_part(part: str, log: Path, seconds: float) -> dict[str, Figure]:
    """Figures of one part from a process of its own; those that there were when it ended."""
    result = log.with_suffix(f".{part}.part")
    command = [
        sys.executable,
        "-u",
        "-m",
        "benchmarks.gpu",
        "--part",
        part,
        "--json",
        str(result.resolve()),
    ]
    # The log says what is compiled again, and why.
    settings = ["env", "TORCH_LOGS=recompiles"]
    if part != SWAP:
        # Pieces of several lengths leave gaps; memory made of small ones is not shared by IPC.
        settings.append("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")
    began = time.monotonic()
    with log.open("a") as file:
        file.write(f"== {part}\n")
        file.flush()
        try:
            code = subprocess.run(
                settings + command,
                cwd=ROOT,
                stdout=file,
                stderr=file,
                timeout=seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
    print(f"{part}: exit code {code} after {time.monotonic() - began:.0f} s", flush=True)
    if not result.exists():
        return {}
    figures: dict[str, Figure] = json.loads(result.read_text())
    result.unlink()
    return {f"gpu.{part}.{name}": figure for name, figure in figures.items()}


def measure_part(part: str, to: Path, device: str = DEVICE) -> None:
    """Measures one part in this process; its figures are in `to` as soon as there are any."""

    def save(figures: Mapping[str, Figure]) -> None:
        to.write_text(json.dumps(figures))

    def log(line: str) -> None:
        print(line, flush=True)

    if part == SWAP:
        from benchmarks.gpu_swap import measure_swap

        save(measure_swap(SWAP_SIZE, SWAPS, device, log, save))
        return
    from benchmarks.gpu_learner import LearnerPart, measure_learner

    save(measure_learner(LearnerPart(**PARTS[part]), device, log))


def write_figures(path: Path, figures: Mapping[str, Figure], checkout: str) -> None:
    """The JSON of all benchmarks, with the GPU as the device."""
    name = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    result = {
        "commit": checkout,
        "device": f"{name}, torch {torch.__version__}, transformers {transformers.__version__}",
        "calibration": {},
        "figures": dict(figures),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=2) + "\n")


def describe(figures: Mapping[str, Figure]) -> list[str]:
    """One line for each figure."""
    return [
        f"{name:34} {figure['p50']:>12,.3f} {figure['unit']}"
        + (f"   p95 {figure['p95']:,.3f}" if "p95" in figure else "")
        for name, figure in figures.items()
    ]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--parts", default=",".join(PARTS), help="which, in this order")
    parser.add_argument("--seconds", type=float, default=900, help="of all parts together")
    parser.add_argument("--commit", default="", help="of these files, where there is no git")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part is None:
        run(options.json, options.parts.split(","), options.seconds, options.commit)
    else:
        measure_part(options.part, options.json)


if __name__ == "__main__":
    main()
