"""The templates that are measured exist, and no reset or episode of theirs fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import miniwob
from envs.gyms.apps.miniwob.assets import is_installed
from envs.providers.local import local_host
from tasksets.registry import get_gym

PUBLISHED = Path(__file__).parents[2] / "docs/results/bench/gyms.json"


def test_every_template_exists_and_is_measured_once() -> None:
    assert len(set(miniwob.TEMPLATES)) == len(miniwob.TEMPLATES) == 20
    assert set(miniwob.TEMPLATES) <= set(get_gym("miniwob").templates)


@pytest.mark.browser
@pytest.mark.skipif(not is_installed(), reason="MiniWoB++ is not installed")
async def test_figures_have_the_names_that_documents_quote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(miniwob, "TEMPLATES", ("click-test", "enter-text"))
    monkeypatch.setattr(miniwob, "RESETS_IN_A_ROW", 3)
    monkeypatch.setattr(miniwob, "WARM_UP_S", 0.0)
    async with local_host() as host:
        figures = await miniwob.measure(host, seconds=0.0, sessions=2)
    published = json.loads(PUBLISHED.read_text())["figures"]
    assert set(figures) == {name for name in published if name.startswith("miniwob.")}
    assert figures["miniwob.reset_in_page_share"]["p50"] == pytest.approx(4 / 6, abs=1e-3)
