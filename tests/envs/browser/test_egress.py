"""The proxy lets through what a task allows, and nothing that an attacker could make of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

import pytest

from envs.browser import egress
from envs.browser.egress import EgressProxy

pytestmark = pytest.mark.asyncio
SITE, OTHER = "127.0.0.2", "127.0.0.3"
"""Stand for addresses of the internet."""
WAIT_S = 30.0
NAMES = {
    "shop.test": [SITE],
    "www.shop.test": [OTHER, SITE],
    "evil.test": [OTHER],
    "loopback.shop.test": ["127.0.0.1"],
    "six.shop.test": ["::1"],
    "mapped.shop.test": ["::ffff:127.0.0.1"],
    "nat.shop.test": ["64:ff9b::7f00:1"],
    "metadata.shop.test": ["169.254.169.254"],
    "private.shop.test": ["10.0.0.1", "192.168.0.1", "172.16.0.1", "100.64.0.1", "fd00::1"],
    "any.shop.test": ["0.0.0.0"],
    "mixed.shop.test": ["127.0.0.1", SITE],
}


class Site:
    """An HTTP/1.1 server at one address, which keeps what it was sent."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.port = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.requests.append(head)
            if b"ontent-length: 4" in head:
                self.requests[-1] += await reader.readexactly(4)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Site: 1\r\n\r\nhello")
            await writer.drain()
            self.requests += [rest] if (rest := await reader.read()) else []
        writer.close()


class Network:
    """A site, another one on the same port, and the proxy between them and the test."""

    def __init__(self, site: Site, other: Site, proxy: EgressProxy) -> None:
        self.site, self.other, self.proxy = site, other, proxy
        self.port = site.port

    async def send(self, text: str) -> str:
        """What the proxy answers, until it ends the connection or asks for more."""
        port = int(self.proxy.url.rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(text.replace("PORT", str(self.port)).encode())
            writer.write_eof()
            return (await asyncio.wait_for(reader.read(), WAIT_S)).decode(errors="replace")
        except ConnectionError:
            return ""  # it did not read what was sent to its end
        finally:
            writer.close()


async def resolve(host: str, port: int) -> Sequence[str]:
    if host not in NAMES:
        raise OSError("no such host")
    return NAMES[host]


@pytest.fixture
async def network() -> AsyncIterator[Network]:
    site, other = Site(), Site()
    proxy = EgressProxy(resolve, lambda address: address in (SITE, OTHER))
    servers = [await asyncio.start_server(site.accept, SITE, 0)]
    site.port = servers[0].sockets[0].getsockname()[1]
    servers.append(await asyncio.start_server(other.accept, OTHER, site.port))
    await proxy.open()
    proxy.begin((f"shop.test:{site.port}",))
    try:
        yield Network(site, other, proxy)
    finally:
        await proxy.close()
        for server in servers:
            server.close()


async def test_a_request_reaches_the_site_with_its_fields_and_body(network: Network) -> None:
    reply = await network.send(
        "POST http://shop.test:PORT/a?b=c HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 4\r\n"
        "Cookie: k=v\r\nProxy-Connection: keep-alive\r\n\r\nbody"
    )
    assert "hello" in reply
    assert "x-site: 1" in reply.lower()
    (sent,) = network.site.requests
    assert sent.startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert sent.endswith(b"body")
    assert f"host: shop.test:{network.port}".encode() in sent.lower()
    assert b"cookie: k=v" in sent.lower()
    assert b"proxy-connection" not in sent.lower()


async def test_a_tunnel_carries_bytes_both_ways(network: Network) -> None:
    reply = await network.send(
        "CONNECT shop.test:PORT HTTP/1.1\r\nHost: shop.test\r\n\r\nGET / HTTP/1.1\r\n\r\n"
    )
    assert reply.startswith("HTTP/1.1 200")
    assert reply.endswith("hello")
    assert network.site.requests == [b"GET / HTTP/1.1\r\n\r\n"]


async def test_of_several_addresses_only_public_ones_are_tried(network: Network) -> None:
    reply = await network.send("GET http://mixed.shop.test:PORT/ HTTP/1.1\r\nHost: x\r\n\r\n")
    assert "hello" in reply
    assert len(network.site.requests) == 1


GET = "GET http://{} HTTP/1.1\r\nHost: shop.test\r\n\r\n"
CONNECT = "CONNECT {} HTTP/1.1\r\nHost: shop.test\r\n\r\nGET / HTTP/1.1\r\n\r\n"
HOSTS = (
    "evil.test",
    "shop.test.evil.test",
    "evilshop.test",
    SITE,
    OTHER,
    "127.0.0.1",
    "localhost",
    "localhost.",
    "[::1]",
    "[::ffff:127.0.0.3]",
    "2130706435",
    "0x7f000003",
    "127.3",
    "0.0.0.0",
    "loopback.shop.test",
    "six.shop.test",
    "mapped.shop.test",
    "nat.shop.test",
    "metadata.shop.test",
    "private.shop.test",
    "any.shop.test",
    "unknown.shop.test",
    "shop.test@evil.test",
    "evil.test#shop.test",
    "evil.test?shop.test",
    "evil.test\\@shop.test",
    "",
)
ATTACKS = {
    **{f"get {host}": GET.format(f"{host}:PORT/") for host in HOSTS},
    **{f"tunnel to {host}": CONNECT.format(f"{host}:PORT") for host in HOSTS},
    "port 22": CONNECT.format("shop.test:22"),
    "no port": CONNECT.format("shop.test"),
    "port 0": CONNECT.format("shop.test:0"),
    "port too large": CONNECT.format("shop.test:70000"),
    "port that is no number": CONNECT.format("shop.test:PORTx"),
    "tunnel with user": CONNECT.format("evil.test@shop.test:PORT:22"),
    "path alone": "GET / HTTP/1.1\r\nHost: evil.test:PORT\r\n\r\n",
    "https without a tunnel": "GET https://shop.test:PORT/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "other scheme": "GET ftp://shop.test:PORT/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "file": "GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    "two lengths": "POST http://shop.test:PORT/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
    "Content-Length: 5\r\n\r\nbody",
    "line break in the target": "GET http://shop.test:PORT/\rX HTTP/1.1\r\nHost: x\r\n\r\n",
    "no HTTP": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "head without end": "GET http://shop.test:PORT/ HTTP/1.1\r\nX: " + "a" * 200_000,
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_nothing_else_is_connected_to(network: Network, attack: str) -> None:
    reply = await network.send(ATTACKS[attack])
    assert "hello" not in reply
    assert not network.site.requests
    assert not network.other.requests


async def test_the_host_field_does_not_choose_another_site(network: Network) -> None:
    await network.send("GET http://shop.test:PORT/ HTTP/1.1\r\nHost: evil.test\r\n\r\n")
    (sent,) = network.site.requests
    assert b"evil.test" not in sent


async def test_a_second_request_on_a_connection_goes_nowhere(network: Network) -> None:
    first = "GET http://shop.test:PORT/1 HTTP/1.1\r\nHost: x\r\n\r\n"
    second = "GET http://evil.test:PORT/2 HTTP/1.1\r\nHost: evil.test\r\n\r\n"
    reply = await network.send(first + second)
    assert reply.count("hello") == 1
    assert "connection: close" in reply.lower()
    assert [request.split()[1] for request in network.site.requests] == [b"/1"]
    assert not network.other.requests


async def test_a_name_that_moves_to_this_machine_is_refused_from_then_on() -> None:
    answers = [[SITE], ["127.0.0.1"]]

    async def rebind(host: str, port: int) -> Sequence[str]:
        return answers.pop(0)

    site, local = Site(), Site()
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(await asyncio.start_server(site.accept, SITE, 0))
        port = server.sockets[0].getsockname()[1]
        await stack.enter_async_context(await asyncio.start_server(local.accept, "127.0.0.1", port))
        proxy = EgressProxy(rebind, lambda address: address == SITE)
        await proxy.open()
        stack.push_async_callback(proxy.close)
        proxy.begin((f"shop.test:{port}",))
        network = Network(site, local, proxy)
        network.port = port
        request = "GET http://shop.test:PORT/ HTTP/1.1\r\nHost: x\r\n\r\n"
        assert "hello" in await network.send(request)
        assert "no address on the internet" in await network.send(request)
        assert not local.requests


async def test_real_addresses_of_this_machine_are_never_reached() -> None:
    """With the proxy's own resolver and its own idea of what is public."""
    proxy = EgressProxy()
    await proxy.open()
    try:
        proxy.begin(("localhost.localdomain", "localdomain.test"))
        network = Network(Site(), Site(), proxy)
        for host in ("localhost", "127.0.0.1", "localhost.localdomain"):
            reply = await network.send(GET.format(f"{host}/"))
            assert reply.startswith(("HTTP/1.1 403", "HTTP/1.1 502")), reply
    finally:
        await proxy.close()


async def test_refused_hosts_are_told_once_and_a_new_task_begins_without_them(
    network: Network,
) -> None:
    for host in ("evil.test", "other.test", "evil.test"):
        await network.send(GET.format(f"{host}/"))
    assert network.proxy.take_refused() == ("evil.test", "other.test")
    assert network.proxy.take_refused() == ()
    await network.send(GET.format("evil.test/"))
    network.proxy.begin(("shop.test",))
    assert network.proxy.take_refused() == ()


async def test_connections_of_the_task_before_end_with_it(network: Network) -> None:
    port = int(network.proxy.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"CONNECT shop.test:{network.port} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert (await asyncio.wait_for(reader.readline(), WAIT_S)).startswith(b"HTTP/1.1 200")
    network.proxy.begin(())
    await asyncio.wait_for(reader.read(), WAIT_S)
    writer.close()


async def test_a_tunnel_in_which_one_side_only_listens_is_not_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(egress, "IDLE_S", 1.0)
    pieces = 12

    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(pieces):
            writer.write(b"x")
            await asyncio.sleep(0.2)
        writer.close()

    async def to_site(host: str, port: int) -> Sequence[str]:
        return [SITE]

    proxy = EgressProxy(to_site, lambda address: True)
    await proxy.open()
    async with await asyncio.start_server(stream, SITE, 0) as server:
        port = server.sockets[0].getsockname()[1]
        proxy.begin((f"shop.test:{port}",))
        network = Network(Site(), Site(), proxy)
        network.port = port
        reply = await network.send("CONNECT shop.test:PORT HTTP/1.1\r\nHost: x\r\n\r\n")
        assert reply.endswith("x" * pieces)
    await proxy.close()
