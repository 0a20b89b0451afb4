"""What reports have in common: their style, and plots as inline SVG."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

BLUE, ORANGE, GREEN, PURPLE, GREY = "#2a6fbb", "#d9822b", "#3c9d5b", "#7a4fb5", "#888"
SERIES = (BLUE, ORANGE, GREEN, PURPLE)
STYLE = (Path(__file__).parent / "report.css").read_text()


def plot(
    title: str, draw: Callable[[Axes], None], height: float = 2.8, grid: Literal["x", "y"] = "y"
) -> str:
    """An SVG element; `height` in inches, beside a width of 5.2."""
    figure, axes = plt.subplots(figsize=(5.2, height))
    draw(axes)
    axes.set_title(title, fontsize=10, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, alpha=0.3)
    figure.tight_layout()
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    plt.close(figure)
    svg = buffer.getvalue()
    return svg[svg.index("<svg") :]
