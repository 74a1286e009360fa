from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic.sse import Events


def read(*blocks: bytes) -> list[bytes]:
    events = Events()
    return [data for block in blocks for data in events.feed(block)]


@pytest.mark.parametrize(
    ("sent", "data"),
    [
        (b"data: one\n\ndata: two\n\n", [b"one", b"two"]),
        (b"data: one\r\n\r\ndata: two\r\n\r\n", [b"one", b"two"]),
        (b"data: one\r\rdata: two\r\rdata", [b"one", b"two"]),
        (b"data:no space\n\n", [b"no space"]),
        (b"data:  two spaces\n\n", [b" two spaces"]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b": a comment\n\ndata: x\n\n", [b"x"]),
        (b"event: delta\nid: 7\nretry: 3\ndata: x\n\n", [b"x"]),
        (b"garbage without a colon\n{not: a field}\ndata: x\n\n", [b"x"]),
        (b"\n\n\ndata: x\n\n\n\n", [b"x"]),
        (b"data: never ended\n", []),
        (b"", []),
    ],
)
def test_the_data_of_every_event_that_was_ended_comes_out(sent: bytes, data: list[bytes]) -> None:
    assert read(sent) == data


@given(st.data())
def test_it_does_not_matter_where_the_network_cut_the_stream(data: st.DataObject) -> None:
    sent = b"data: one\r\n\r\n: hm\r\ndata: \xc3\xa9t\xc3\xa9\r\ndata: two\r\n\r\ndata: three\n\n"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=8)))
    blocks = [sent[low:high] for low, high in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert read(*blocks) == [b"one", "été\ntwo".encode(), b"three"]


def test_what_waits_for_its_end_is_counted() -> None:
    events = Events()
    events.feed(b"data: abc\ndata: de")
    assert events.size == len(b"abc") + len(b"data: de")
    events.feed(b"\n\n")
    assert events.size == 0
