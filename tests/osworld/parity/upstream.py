"""Scores cases with the published package; run by the interpreter of an environment it is in.

    python upstream.py CASES.json SCORES.json

CASES.json is a list of {module, metric, arguments, options}; SCORES.json gets, in the same order,
{"score": number} or {"error": name of the exception, "kinds": names of the classes it belongs to}.
Each case runs in a process of its own with a time limit, so none can change what another sees.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import multiprocessing
import os
import sys
import types
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

METRICS = "desktop_env.evaluators.metrics"
HEAVY = ("acoustid", "borb", "borb.pdf", "easyocr")
"""Imported at the top of upstream's modules and needed by no case; not installed."""
LIMIT_S = 40.0


class StandIn(types.ModuleType):
    """An empty module, any name of which can be imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}")


def prepare() -> None:
    """Lets single modules be imported: the package's own __init__ imports all of them."""
    for name in HEAVY:
        sys.modules[name] = StandIn(name)
    spec = importlib.util.find_spec("desktop_env.evaluators")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    package = types.ModuleType(METRICS)
    package.__path__ = [str(Path(folder, "metrics")) for folder in spec.submodule_search_locations]
    sys.modules[METRICS] = package
    # Its default fetches the list of domains from the network.
    import tldextract

    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def scored(case: dict[str, Any]) -> dict[str, Any]:
    """A metric that returns nothing gives 0, as in upstream's sum of scores."""
    try:
        function = getattr(importlib.import_module(f"{METRICS}.{case['module']}"), case["metric"])
        score = function(*case["arguments"], **case["options"])
        return {"score": 0.0 if score is None else float(score)}
    except Exception as error:
        return failed(error)


def failed(error: Exception) -> dict[str, Any]:
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind not in (Exception, object)]
    kinds.remove("BaseException")
    if type(error).__module__ == "cv2":
        # OpenCV's own class, which is no other's; failures within C++ are these elsewhere.
        kinds.append("RuntimeError")
    return {"error": type(error).__name__, "kinds": kinds, "message": str(error)[:200]}


def report(case: dict[str, Any], end: Connection) -> None:
    end.send(scored(case))


def limited(case: dict[str, Any]) -> dict[str, Any]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=report, args=(case, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(LIMIT_S):
            return failed(TimeoutError(f"over {LIMIT_S:.0f} s"))
        answer: dict[str, Any] = ours.recv()
        return answer
    except EOFError:
        return failed(ChildProcessError("ended without a score"))
    finally:
        process.kill()
        process.join()


def main(cases: Path, scores: Path) -> None:
    prepare()
    listed = json.loads(cases.read_text())
    for module in {case["module"] for case in listed}:
        importlib.import_module(f"{METRICS}.{module}")
    # What upstream writes to the current folder stays beside the cases.
    os.chdir(cases.parent)
    scores.write_text(json.dumps([limited(case) for case in listed]))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
