"""Sounds and films for tests, the same at every run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import av
import numpy as np
import soundfile
from PIL import Image


def sound(
    path: Path,
    tones: Sequence[float],
    rate: int = 22_050,
    channels: int = 1,
    volume: float = 0.6,
) -> Path:
    """Half a second of each tone, in hertz, with an overtone; the name's ending says the format."""
    time = np.arange(rate // 2) / rate
    parts = [
        np.sin(2 * np.pi * tone * time) + 0.3 * np.sin(6 * np.pi * tone * time) for tone in tones
    ]
    samples = volume * np.concatenate(parts).astype(np.float32) / 1.3
    soundfile.write(path, np.stack([samples] * channels, axis=1), rate)
    return path


def film(path: Path, frames: Sequence[Image.Image], crf: int = 18) -> Path:
    """Ten frames a second."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10, options={"crf": str(crf)})
        stream.width, stream.height = frames[0].size
        stream.pix_fmt = "yuv420p"
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_image(frame)))
        container.mux(stream.encode())
    return path
