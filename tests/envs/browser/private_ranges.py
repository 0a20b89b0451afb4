"""Run in a network namespace of its own: which private addresses a page reaches, boxed or not.

    python -m tests.envs.browser.private_ranges none|bubblewrap

Prints the addresses that were reached, as JSON. The namespace's loopback gets addresses that stand
for a cloud's metadata service, neighbours on the network, and a container's gateway.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys

from aiohttp import web

from envs.browser import box
from envs.browser.chromium import Chromium
from envs.browser.page import Page
from envs.browser.process import Site

ADDRESSES = ("169.254.169.254", "10.1.2.3", "172.17.0.1", "192.168.1.1", "100.64.0.1", "fd00::7")
PICTURE = """new Promise((done) => {
  const picture = new Image();
  picture.onerror = picture.onload = () => done();
  picture.src = 'ADDRESS';
})"""
FLAGS = ("--headless=new", "--disable-gpu", "--no-first-run")


def prepare_loopback() -> None:
    """Gives the namespace's loopback all addresses."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for address in ADDRESSES:
        width = "128" if ":" in address else "32"
        options = ["nodad"] if ":" in address else []
        command = ["ip", "addr", "add", f"{address}/{width}", "dev", "lo", *options]
        subprocess.run(command, check=True)


async def attack() -> list[str]:
    """Addresses whose server was connected to by the page."""
    reached: list[str] = []

    async def page(request: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>Page</title>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 8080).start()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append(writer.get_extra_info("sockname")[0])
        writer.close()

    servers = [await asyncio.start_server(accept, address, 8081) for address in ADDRESSES]
    chromium = Chromium(sites=[Site.parse("http://127.0.0.1:8080")], flags=FLAGS)
    await chromium.ensure()
    try:
        connection = chromium.connection
        created = await connection.call("Target.createBrowserContext", {})
        tab = await Page.open(connection, created["browserContextId"], 800, 600)
        assert await tab.navigate("http://127.0.0.1:8080/") is None
        for address in ADDRESSES:
            host = f"[{address}]" if ":" in address else address
            await tab.run(PICTURE.replace("ADDRESS", f"http://{host}:8081/"))
    finally:
        await chromium.close()
        for server in servers:
            server.close()
        await runner.cleanup()
    return sorted(set(reached))


if __name__ == "__main__":
    os.environ[box.SETTING] = sys.argv[1]
    prepare_loopback()
    print(json.dumps(asyncio.run(attack())))
