from __future__ import annotations

import gzip
import os
import re
import threading
from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets.recognition import all_formats, find, recognise
from empathic.errors import InputError, UnknownName
from empathic.records import Rater


def test_a_format_is_found_by_content_also_when_compressed(tmp_path: Path) -> None:
    path = tmp_path / "x_responses.json.gz"
    path.write_bytes(gzip.compress(b'[{"query": ["hi"], "response": "hello"}]'))
    assert recognise(path).name == "lee"
    assert [record.id for record in datasets.read(path)] == ["x-0"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n ", "the file is empty"),
        (b"\x7fELF\x00\x01", "is a binary file that is not recognised; say which it is with --from"),
        (b"\xff\xfe{\x00}\x00", "is UTF-16 text: save it as UTF-8"),
        (b"hello\n", "is in no format that is recognised; say which it is with --from chat|convokit"),
        (gzip.compress(b"x" * 1000, mtime=0)[:-10], "the compressed file is damaged"),
    ],
)
def test_what_is_not_recognised_says_what_to_type(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)):
        recognise(path)


def test_an_unknown_format_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'welivita'"):
        find("wellivita")
    assert {"ieval", "lee", "welivita"} <= {format_.name for format_ in all_formats()}


def test_a_pipe_cannot_be_looked_at_but_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(InputError, match="is no ordinary file.*say its format with --from"):
        recognise(path)
    writer = threading.Thread(target=path.write_text, args=('{"id": "human:a"}\n',))
    writer.start()
    assert list(datasets.read(path, "records")) == [Rater(id="human:a")]
    writer.join()
