"""How alike two sounds are, as OSWorld measures it.

Sounds are heard as one channel at RATE; each moment of HOP samples is described by CEPSTRA
mel-frequency cepstral coefficients, and the two rows of moments are aligned by FastDTW (Salvador
and Chan, 2007) with a radius of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from envs.osworld.outside.published.error_policy import Unreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Sound = NDArray[np.float32]
    Moments = NDArray[np.float64]

Steps = list[tuple[int, int]]
"""Moments of both sounds that belong together, last first."""
RATE = 22_050
WINDOW, HOP = 2048, 512
BANDS, CEPSTRA = 128, 20
FLOOR, RANGE_DB = 1e-10, 80.0
BLOCK = 1024
"""Moments at a time."""
LINEAR_TO, PER_BAND, STEP = 1000.0, 200 / 3, math.log(6.4) / 27
"""Slaney's mel scale: linear up to 1 kHz, then logarithmic."""


def read_sound(path: Path) -> Sound:
    """Samples from -1 to 1, at RATE. Raises Unreadable, also for no sample at all."""
    import soundfile

    try:
        samples, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, RuntimeError, ValueError):
        samples, rate = _decode(path)
    if not len(samples) or not np.isfinite(samples).all():
        raise Unreadable("no sound")
    return _resample(samples.mean(axis=1, dtype=np.float32), rate)


def cepstra(sound: Sound) -> Moments:
    """One row a moment; each coefficient's largest amount is 1."""
    from scipy.fft import dct

    bands = np.concatenate(list(_mel_bands(sound)))
    decibels = 10 * np.log10(np.maximum(bands, np.float32(FLOOR)))
    decibels = np.maximum(decibels, decibels.max() - np.float32(RANGE_DB))
    coefficients = dct(decibels, axis=1, type=2, norm="ortho")[:, :CEPSTRA]
    largest = np.abs(coefficients).max(axis=0)
    return np.asarray(coefficients / np.where(largest > 0, largest, 1), dtype=np.float64)


def distance(first: Moments, second: Moments) -> float:
    """Mean cosine distance of the moments that are aligned."""
    total, path = _align(first, second)
    return total / len(path)


def _decode(path: Path) -> tuple[Sound, int]:
    """What libsndfile does not know, by FFmpeg's libraries."""
    import av

    try:
        with av.open(str(path)) as film:
            stream = film.streams.audio[0]
            resampler = av.AudioResampler(format="s16p")
            parts = [
                part.to_ndarray().astype(np.float32)
                for frame in film.decode(stream)
                for part in resampler.resample(frame)
            ]
            samples: Sound = np.concatenate(parts, axis=1).T / np.float32(32768)
            return samples, stream.rate
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise Unreadable(str(error)) from error


def _resample(sound: Sound, rate: int) -> Sound:
    import soxr

    if rate == RATE:
        return sound
    length = math.ceil(len(sound) * RATE / rate)
    samples: Sound = soxr.resample(sound, rate, RATE, quality="HQ")[:length]
    padded: Sound = np.pad(samples, (0, length - len(samples)))
    return padded


def _mel_bands(sound: Sound) -> Iterator[Sound]:
    """Power by mel band, a row a moment, in blocks."""
    filters = _filters().T
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)
    padded = np.pad(sound, WINDOW // 2)
    moments = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
    for start in range(0, len(moments), BLOCK):
        spectrum = np.fft.rfft(moments[start : start + BLOCK] * window).astype(np.complex64)
        yield np.abs(spectrum) ** 2 @ filters


def _filters() -> Sound:
    """Triangles of one area, BANDS of them, evenly spaced on the mel scale."""
    top = LINEAR_TO / PER_BAND + math.log(RATE / 2 / LINEAR_TO) / STEP
    mels = np.linspace(0, top, BANDS + 2)
    knee = LINEAR_TO / PER_BAND
    edges = np.where(mels < knee, mels * PER_BAND, LINEAR_TO * np.exp(STEP * (mels - knee)))
    frequencies = np.fft.rfftfreq(WINDOW, 1 / RATE)
    ramps = edges[:, None] - frequencies
    widths = np.diff(edges)[:, None]
    rising, falling = -ramps[:-2] / widths[:-1], ramps[2:] / widths[1:]
    heights = 2 / (edges[2:] - edges[:-2])
    triangles: Moments = np.maximum(0, np.minimum(rising, falling)) * heights[:, None]
    return triangles.astype(np.float32)


def _align(first: Moments, second: Moments) -> tuple[float, Steps]:
    """The cheapest path found, and its cost: at half the resolution first, then near that path."""
    if min(len(first), len(second)) < 3:
        return _cheapest(first, second, [(0, len(second))] * len(first))
    _, coarse = _align(_halve_resolution(first), _halve_resolution(second))
    return _cheapest(first, second, _near(coarse, len(first), len(second)))


def _halve_resolution(moments: Moments) -> Moments:
    even = len(moments) // 2 * 2
    return (moments[0:even:2] + moments[1:even:2]) / 2


def _near(coarse: Steps, rows: int, columns: int) -> list[tuple[int, int]]:
    """For each row, the columns from and below which the path may run: one step around the coarse
    path, at twice its resolution."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for row, column in coarse:
        for near in (row - 1, row, row + 1):
            first[near] = min(first.get(near, column - 1), column - 1)
            last[near] = max(last.get(near, column + 1), column + 1)
    return [
        (max(0, 2 * first[row // 2]), min(columns, 2 * last[row // 2] + 2)) for row in range(rows)
    ]


def _cheapest(
    first: Moments, second: Moments, window: list[tuple[int, int]]
) -> tuple[float, Steps]:
    """Dynamic time warping within the window. Of equal ways it takes a step of the first, then of
    the second, then of both."""
    units, others = _unit(first), _unit(second)
    costs: dict[tuple[int, int], float] = {(-1, -1): 0.0}
    came: dict[tuple[int, int], tuple[int, int]] = {}
    never = math.inf
    for row, (start, end) in enumerate(window):
        far = np.clip(1 - others[start:end] @ units[row], 0, 2).tolist()
        for column in range(start, end):
            ways = ((row - 1, column), (row, column - 1), (row - 1, column - 1))
            best = min(ways, key=lambda way: costs.get(way, never))
            costs[row, column] = costs.get(best, never) + far[column - start]
            came[row, column] = best
    place = (len(first) - 1, len(second) - 1)
    total, path = costs[place], []
    while place != (-1, -1):
        path.append(place)
        place = came[place]
    return total, path


def _unit(moments: Moments) -> Moments:
    lengths = np.linalg.norm(moments, axis=1, keepdims=True)
    units: Moments = moments / np.where(lengths > 0, lengths, 1)
    return units
