"""Films of the desktop: ffmpeg reads the display and writes mp4.

Guarantees: a film ends by itself at MAX_S or MAX_BYTES; it can be played even when the recorder was
killed (fragmented mp4); one film at a time, and starting another drops the one under way.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path

from envs.desktop.processes import Processes

FRAMES_PER_S = 10
MAX_S = 3600
MAX_BYTES = 64 * 1024 * 1024
START_S, STOP_S = 10.0, 10.0


class NotRecording(Exception):
    """There is no film to end, or the recorder did not start."""


class Recorder:
    """Of one display; `folder` holds the film until it is fetched."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._film = Path()

    async def start(self, processes: Processes, folder: Path, width: int, height: int) -> None:
        """Until the first picture is written. Raises NotRecording."""
        await self.drop()
        self._film = folder / "recording.mp4"
        command = [
            "ffmpeg",
            "-y",
            "-nostdin",
            "-loglevel",
            "error",
            "-f",
            "x11grab",
            "-framerate",
            str(FRAMES_PER_S),
            "-video_size",
            f"{width}x{height}",
            "-i",
            processes.environment["DISPLAY"],
            "-t",
            str(MAX_S),
            "-fs",
            str(MAX_BYTES),
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-crf",
            "28",
            "-pix_fmt",
            "yuv420p",
            "-threads",
            "1",
            "-g",
            str(FRAMES_PER_S),
            "-flush_packets",
            "1",
            "-movflags",
            "+frag_keyframe+empty_moov+default_base_moof",
            str(self._film),
        ]
        try:
            self._process = await processes.start(command, keep=True)
            async with asyncio.timeout(START_S):
                while not self._film.exists() or not self._film.stat().st_size:
                    if self._process.returncode is not None:
                        raise NotRecording(f"ffmpeg ended with {self._process.returncode}")
                    await asyncio.sleep(0.02)
        except FileNotFoundError as error:
            raise NotRecording("ffmpeg is missing: apt-get install ffmpeg") from error
        except TimeoutError as error:
            await self.drop()
            raise NotRecording(f"ffmpeg wrote nothing within {START_S:g} s") from error

    async def stop(self) -> bytes:
        """The film, at most MAX_BYTES and a fragment. Raises NotRecording."""
        if self._process is None:
            raise NotRecording("nothing is being recorded")
        await self._end(signal.SIGINT)
        try:
            return await asyncio.to_thread(self._film.read_bytes)
        except FileNotFoundError as error:
            raise NotRecording("the film is gone: the desktop was started anew") from error
        finally:
            self._film.unlink(missing_ok=True)

    async def drop(self) -> None:
        """Ends a film under way and deletes it."""
        if self._process is not None:
            await self._end(signal.SIGKILL)
            self._film.unlink(missing_ok=True)

    async def _end(self, sign: signal.Signals) -> None:
        process, self._process = self._process, None
        assert process is not None
        for tried in (sign, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(tried)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), STOP_S)
                return
