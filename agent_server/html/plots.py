"""Plots for reports, as inline SVG."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Literal

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from markupsafe import Markup
from matplotlib.axes import Axes

BLUE, ORANGE, GREEN, PURPLE, GREY = "#2a6fbb", "#d9822b", "#3c9d5b", "#7a4fb5", "#888"
SERIES = (BLUE, ORANGE, GREEN, PURPLE)
WIDTH_INCHES = 5.2


def plot(
    title: str,
    draw: Callable[[Axes], None],
    height: float = 2.8,
    grid: Literal["x", "y"] = "y",
    title_pad: float = 6.0,
) -> Markup:
    """An SVG element. `draw` fills the axes; `height` is in inches; `title_pad`: points between
    title and axes, for a legend."""
    figure, axes = plt.subplots(figsize=(WIDTH_INCHES, height))
    draw(axes)
    axes.set_title(title, fontsize=10, loc="left", pad=title_pad)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, alpha=0.3)
    figure.tight_layout()
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    plt.close(figure)
    svg = buffer.getvalue()
    # matplotlib escapes the texts of the figure; what precedes the element is an XML prolog.
    return Markup(svg[svg.index("<svg") :])
