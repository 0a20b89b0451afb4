"""A training run in the console: its curves while it runs, its figures when it has ended."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from agent_server.settings import Settings
from tests.agent_server.api_process import KEY
from tests.agent_server.toy_env import toy_task
from tests.agent_server.web.training_run import RUN, end_training, start_training

PIECE = {"hx-request": "true"}


def plots_of(text: str) -> list[str]:
    return re.findall(r'<img src="([^"]+)"', text)


def test_a_run_is_drawn_again_when_something_was_measured(
    browser: TestClient, keyed: Settings
) -> None:
    start_training(keyed)
    page = browser.get(f"/console/runs/{RUN}")
    names = [path.split("/")[-1].partition(".")[0] for path in plots_of(page.text)]
    assert names == ["training", "entropy", "swaps", "unused"], "what has data so far"
    assert "0.0040 nats" in page.text
    address = re.search(r'hx-get="([^"]+)"', page.text)
    assert address is not None
    assert browser.get(address[1], headers=PIECE).status_code == 204
    end_training(keyed)
    piece = browser.get(address[1], headers=PIECE)
    assert piece.status_code == 200
    assert "hx-get" not in piece.text, "it has ended"
    names = [path.split("/")[-1].partition(".")[0] for path in plots_of(piece.text)]
    assert names == ["success", "training", "entropy", "swaps", "unused", "idle", "outcomes"]
    assert "<b>25.0%</b>" in piece.text
    assert "10.0 to 45.0%" in piece.text
    for words in ("0.57 versions", "14.0/s", "50%", "25%"):
        assert words in piece.text
    assert "None" not in piece.text, "what was not measured is left out"


def test_plots_are_pictures_that_load_and_run_nothing(browser: TestClient, keyed: Settings) -> None:
    start_training(keyed)
    end_training(keyed)
    for path in plots_of(browser.get(f"/console/runs/{RUN}").text):
        light, dark = browser.get(path), browser.get(f"{path}&look=dark")
        for reply in (light, dark):
            assert reply.headers["content-type"] == "image/svg+xml"
            assert "script-src" not in reply.headers["content-security-policy"]
            assert "default-src 'none'" in reply.headers["content-security-policy"]
            assert reply.text.startswith("<svg")
        assert "#e6e9ee" in dark.text
        assert "#e6e9ee" not in light.text
    assert browser.get(f"/console/runs/{RUN}/plots/none.svg").status_code == 404


def test_runs_of_other_folders_have_no_curves_and_evaluations_their_own_page(
    browser: TestClient, keyed: Settings
) -> None:
    start_training(keyed)
    (keyed.run_dir / "run.json").write_text('{"run_id": "another"}')
    assert "deskhand serve --run FOLDER" in browser.get(f"/console/runs/{RUN}").text
    assert browser.get(f"/console/runs/{RUN}/plots/training.svg").status_code == 404
    assert browser.get("/console/runs/none").status_code == 404
    body = {"tasks": [toy_task(1).model_dump(mode="json")], "policy": "live"}
    created = browser.post("/v1/evaluations", json=body, headers={"x-api-key": KEY}).json()
    page = browser.get(f"/console/runs/{created['id']}")
    assert page.url.path == f"/console/evaluations/{created['id']}"
    runs = browser.get("/console/runs").text
    assert f'href="/console/runs/{RUN}"' in runs
    assert f'href="/console/evaluations/{created["id"]}"' in runs
