"""A plot is one SVG element in which text stays text."""

from __future__ import annotations

from agent_server.html.plots import plot


def test_a_plot_is_an_svg_element_without_a_prolog() -> None:
    svg = plot("Success <b>", lambda axes: axes.plot([0, 1]) and None)
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")
    assert "<b>" not in svg


def test_the_height_is_in_inches() -> None:
    assert 'height="288pt"' in plot("x", lambda axes: None, height=4)
