"""PHP's built-in server for an application that is written in PHP."""

from __future__ import annotations

from pathlib import Path

from envs.gyms.real.server_box import PORT, ServerCommand

WORKERS = 4
"""Processes: a page asks for its styles and scripts side by side."""
_OPTIONS = (
    *("-d", "opcache.enable_cli=1", "-d", "opcache.memory_consumption=96"),
    *("-d", "opcache.validate_timestamps=0", "-d", "display_errors=0"),
    *("-d", "log_errors=1", "-d", "error_log=/dev/stderr"),
)


def php_server(files: Path, inside: Path) -> ServerCommand:
    """Serves by `inside/router.php`; `files` are at /app, `inside` is at /inside."""
    return ServerCommand(
        argv=["php", *_OPTIONS, "-S", f"127.0.0.1:{PORT}", "/inside/router.php"],
        environment={"PHP_CLI_SERVER_WORKERS": str(WORKERS)},
        files={"/app": files, "/inside": inside},
    )
