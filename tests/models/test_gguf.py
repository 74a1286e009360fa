from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from empathic.errors import ServiceError
from empathic.models.gguf import start_server


def test_the_server_answers_only_those_who_have_the_key(smollm2: Path) -> None:
    server = start_server(smollm2, "the-key", context=256)
    request = urllib.request.Request(
        f"{server.listening_address}/tokenize", b'{"content": "a"}', {"Content-Type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(request)
    request.add_header("Authorization", "Bearer the-key")
    with urllib.request.urlopen(request) as answer:
        assert b"tokens" in answer.read()


def test_a_file_that_is_no_model_is_refused_by_name(smollm2: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and nothing else")
    with pytest.raises(ServiceError, match=r"broken\.gguf: llama\.cpp cannot load it"):
        start_server(broken, "the-key")
