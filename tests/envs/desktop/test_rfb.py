"""The viewer's stream is split into messages however it arrives."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.desktop.rfb import (
    ClientStream,
    Message,
    ProtocolError,
)

GREETING = b"RFB 003.008\n\x01\x01"

shorts = st.integers(0, 65535)

messages = st.one_of(
    st.binary(min_size=19, max_size=19).map(lambda rest: b"\0" + rest),
    st.lists(st.integers(-300, 300), max_size=20).map(
        lambda encodings: struct.pack(f">BxH{len(encodings)}i", 2, len(encodings), *encodings)
    ),
    st.tuples(shorts, shorts).map(lambda at: struct.pack(">BBHHHH", 3, 1, *at, 5, 5)),
    st.tuples(st.booleans(), st.integers(0, 2**32 - 1)).map(
        lambda key: struct.pack(">BBxxI", 4, *key)
    ),
    st.tuples(st.integers(0, 255), shorts, shorts).map(lambda at: struct.pack(">BBHH", 5, *at)),
    st.binary(max_size=40).map(lambda text: struct.pack(">Bxxxi", 6, len(text)) + text),
    st.binary(max_size=40).map(lambda text: struct.pack(">Bxxxi", 6, -len(text)) + text),
    st.binary(max_size=40).map(lambda data: struct.pack(">BxxxIB", 248, 0, len(data)) + data),
    st.integers(0, 2**32 - 1).map(lambda keysym: struct.pack(">BBHII", 255, 0, 1, keysym, 30)),
)


@given(st.lists(messages, max_size=12), st.lists(st.integers(1, 30), min_size=1))
def test_a_stream_is_split_alike_however_it_comes(sent: list[bytes], sizes: list[int]) -> None:
    stream, received, data = ClientStream(), list[Message](), GREETING + b"".join(sent)
    turn = 0
    while data:
        size = sizes[turn % len(sizes)]
        received += stream.feed(data[:size])
        data, turn = data[size:], turn + 1
    assert [message.raw for message in received[3:]] == sent
    for message in received:
        acts = message.raw[0] in (4, 5, 6, 255) and message in received[3:]
        assert message.input == acts


@pytest.mark.parametrize(
    "raw", [b"RFB 003.003\n", b"RFB 003.008\n\x02", GREETING + b"\x07", GREETING + b"\xfb" * 9,
             GREETING + b"\xff\x01", GREETING + b"\x06\0\0\0\x7f\0\0\0"],
)  # fmt: skip
def test_what_is_not_known_ends_the_stream_or_is_input(raw: bytes) -> None:
    stream = ClientStream()
    if raw[14:15] == b"\xfb":
        assert not list(stream.feed(raw))[3:]
        return
    with pytest.raises(ProtocolError):
        list(stream.feed(raw))
