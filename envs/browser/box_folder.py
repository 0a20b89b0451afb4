"""A folder in a browser's box, held by its descriptor from outside.

Guarantees: nothing outside the folder is read or written, whatever links the browser makes in it;
only plain files are read, and of each no more than the caller's bound.
"""

from __future__ import annotations

import contextlib
import os
import stat

_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | _NO_LINK


class BoxFolder:
    """`path`: what the browser calls it. Names are of one part."""

    def __init__(self, descriptor: int, path: str) -> None:
        self._descriptor, self.path = descriptor, path

    def open_folder(self, name: str) -> BoxFolder:
        """A folder in it, made if it is not there. Close it."""
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=self._descriptor)
        return BoxFolder(os.open(name, _FOLDER, dir_fd=self._descriptor), f"{self.path}/{name}")

    def write(self, name: str, data: bytes) -> None:
        """Makes or replaces a file."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
        with os.fdopen(os.open(name, flags, 0o600, dir_fd=self._descriptor), "wb") as file:
            file.write(data)

    def read(self, name: str, limit: int) -> bytes:
        """At most `limit` bytes of a plain file. Raises OSError."""
        # A pipe in its place would keep the reader waiting for ever.
        flags = os.O_RDONLY | os.O_NONBLOCK | _NO_LINK
        with os.fdopen(os.open(name, flags, dir_fd=self._descriptor), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileNotFoundError(f"{name} is no plain file")
            return file.read(limit)

    def has(self, name: str) -> bool:
        """Whether there is anything of this name."""
        try:
            os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)

    def remove_folder(self, name: str) -> None:
        """Removes a folder and the files in it, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            folder = self.open_folder(name)
            try:
                with os.scandir(folder._descriptor) as entries:
                    names = [entry.name for entry in entries]
                for file_name in names:
                    folder.remove(file_name)
            finally:
                folder.close()
            os.rmdir(name, dir_fd=self._descriptor)

    def close(self) -> None:
        """Lets go of it; what is in it stays."""
        os.close(self._descriptor)
