"""PHP's built-in server."""

from __future__ import annotations

from pathlib import Path

from envs.gyms.real.php import php_server


def test_it_serves_by_the_gyms_router_and_reads_the_application() -> None:
    command = php_server(Path("/unpacked"), Path("/gym"))
    assert command.argv[-3:] == ["-S", "127.0.0.1:8080", "/inside/router.php"]
    assert command.files == {"/app": Path("/unpacked"), "/inside": Path("/gym")}
