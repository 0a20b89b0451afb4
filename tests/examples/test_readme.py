"""The list of the examples is complete."""

from __future__ import annotations

from tests.examples.example_process import ROOT


def test_every_example_is_listed() -> None:
    readme = (ROOT / "examples" / "README.md").read_text()
    for path in (ROOT / "examples").glob("*.py"):
        assert f"[{path.name}]({path.name})" in readme
