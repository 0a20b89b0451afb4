"""Plots for reports, as inline SVG."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Literal

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PURPLE, GREY = "#2a6fbb", "#d9822b", "#3c9d5b", "#7a4fb5", "#888"
SERIES = (BLUE, ORANGE, GREEN, PURPLE)
WIDTH_INCHES = 5.2


DARK_INK = "#e6e9ee"
_drawing = threading.Lock()
"""matplotlib's fonts and settings belong to one thread at a time."""


def plot(
    title: str,
    draw: Callable[[Axes], None],
    height: float = 2.8,
    grid: Literal["x", "y"] = "y",
    title_pad: float = 6.0,
    is_dark: bool = False,
) -> Markup:
    """An SVG element. `draw` fills the axes; `height` is in inches; `title_pad`: points between
    title and axes, for a legend; `is_dark`: for a dark page, whose ground shows through."""
    with _drawing:
        figure = Figure(figsize=(WIDTH_INCHES, height))
        axes = figure.subplots()
        draw(axes)
        ink = DARK_INK if is_dark else "black"
        axes.set_title(title, fontsize=10, loc="left", pad=title_pad, color=ink)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis=grid, alpha=0.3)
        _use_ink(axes, ink)
        figure.tight_layout()
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=is_dark)
    svg = buffer.getvalue()
    # matplotlib escapes the texts of the figure; what precedes the element is an XML prolog.
    return Markup(svg[svg.index("<svg") :])


def _use_ink(axes: Axes, color: str) -> None:
    """Text, ticks and frame in this color; the title has it."""
    axes.tick_params(which="both", colors=color)
    legend = axes.get_legend()
    labels = legend.get_texts() if legend else []
    for text in (*axes.texts, axes.xaxis.label, axes.yaxis.label, *labels):
        text.set_color(color)
    for spine in axes.spines.values():
        spine.set_edgecolor(color)
