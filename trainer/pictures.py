"""Pictures of a prompt: their bytes, and the patches that a vision tower reads.

Guarantees: a family's own image processor makes the patches, by Pillow, so server and learner see
the same pixels of the same bytes; a picture that many steps share is processed once.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import io
import shutil
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from torch import Tensor
from transformers import AutoImageProcessor

from trainer.model_files import AS_DATA
from trainer.samples import Picture

PROCESSOR_FILES = (
    "preprocessor_config.json",
    "video_preprocessor_config.json",
    "processor_config.json",
)
CACHED = 256
"""Pictures whose patches are kept."""


@dataclass(frozen=True, slots=True)
class Patches:
    """Patches of one picture and their values; `grid_3`: frames, rows and columns of patches."""

    pixels_UX: Tensor
    grid_3: Tensor


class PictureReader:
    """The image processor of a model's folder. Several threads may read."""

    def __init__(self, folder: Path) -> None:
        processor: Any = AutoImageProcessor.from_pretrained(folder, backend="pil", **AS_DATA)
        self._processor, self.folder = processor, folder
        self._merged = int(processor.merge_size) ** 2
        self._cache: OrderedDict[Picture, Patches] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def factor(self) -> int:
        """Pixels of a token's side."""
        return int(self._processor.patch_size) * int(self._processor.merge_size)

    @property
    def limits(self) -> tuple[int, int]:
        """Smallest and largest area of a picture that is left as it is, pixels."""
        size = dict(self._processor.size)
        least, most = int(size["shortest_edge"]), int(size["longest_edge"])
        # GLM counts a picture as a film of two equal frames.
        frames = int(self._processor.temporal_patch_size) if "Glm" in self._name else 1
        return -(-least // frames), most // frames

    @property
    def _name(self) -> str:
        return type(self._processor).__name__

    def write_settings(self, folder: Path) -> None:
        """Writes what a server makes the same processor from."""
        for name in PROCESSOR_FILES:
            if (self.folder / name).is_file():
                shutil.copyfile(self.folder / name, folder / name)

    def read(self, picture: Picture) -> Patches:
        """The patches of a picture. Raises PIL.UnidentifiedImageError for bytes of no picture."""
        with self._lock:
            patches = self._cache.get(picture)
            if patches is None:
                image = Image.open(io.BytesIO(picture.data)).convert("RGB")
                made = self._processor(images=[image], return_tensors="pt")
                patches = Patches(made["pixel_values"], made["image_grid_thw"][0])
                self._cache[picture] = patches
                if len(self._cache) > CACHED:
                    self._cache.popitem(last=False)
            return patches

    def count_tokens(self, picture: Picture) -> int:
        """Tokens of a prompt that stand for the picture."""
        return int(self.read(picture).grid_3.prod()) // self._merged
