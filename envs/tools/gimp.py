"""The tools of GIMP: images, layers, selections, text, settings. Importing it registers them."""

from __future__ import annotations

from envs.tools import gimp_image as _image  # noqa: F401
from envs.tools import gimp_layers as _layers  # noqa: F401
