"""A corpus that somebody uploads: a ZIP archive of a corpus folder, or a single file.

An archive is unpacked file by file into a folder that is thrown away afterwards. Names that lead
out of it, links and archives that swell beyond a limit are refused, whatever their headers say.
"""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

from gistmark.corpus import Corpus, load
from gistmark.errors import CorpusError, GistmarkError, Problem, UsageError
from gistmark.web.campaigns.services.swelling import swells_beyond

if TYPE_CHECKING:
    from gistmark.scoring import Scores

LARGEST_UPLOAD = 50 * 1024**2
LARGEST_UNPACKED = 200 * 1024**2
MOST_FILES = 100
SUFFIXES = (".zip", ".jsonl", ".csv", ".tsv", ".parquet")
SCORES = (".csv", ".jsonl", ".parquet")
_PIECE = 1024**2
_SCRAP = ("__MACOSX",)


def read_upload(name: str, pieces: Iterable[bytes]) -> Corpus:
    """The corpus in an uploaded file; a `CorpusError` has every problem, with file and line."""
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"A corpus is a file that ends in {', '.join(SUFFIXES)}, not {name!r}.")
    with TemporaryDirectory(prefix="gistmark-upload-") as temporary:
        folder = Path(temporary)
        uploaded = folder / f"upload{suffix}"
        with uploaded.open("wb") as stream:
            _copy(pieces, stream, LARGEST_UPLOAD, "The file is")
        if suffix != ".zip":
            _refuse_swelling([uploaded], {uploaded.name: name})
            return _loaded(uploaded, folder, {uploaded.name: name})
        target = folder / "corpus"
        target.mkdir()
        _unpack(uploaded, target)
        _refuse_swelling(sorted(target.iterdir()), {})
        return _loaded(target, target, {})


def read_scores_upload(name: str, pieces: Iterable[bytes]) -> Scores:
    """The scores in an uploaded file that `gistmark score` wrote."""
    from gistmark.scoring.files import read_scores

    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if suffix not in SCORES:
        raise UsageError(f"Scores are a file that ends in {', '.join(SCORES)}, not {name!r}.")
    with TemporaryDirectory(prefix="gistmark-upload-") as temporary:
        uploaded = Path(temporary) / f"scores{suffix}"
        with uploaded.open("wb") as stream:
            _copy(pieces, stream, LARGEST_UPLOAD, "The file is")
        _refuse_swelling([uploaded], {uploaded.name: name})
        try:
            return read_scores(uploaded)
        except GistmarkError as error:
            raise UsageError(str(error).replace(str(uploaded), name)) from None


def _unpack(archive: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as opened:
            left = LARGEST_UNPACKED
            for member, name in _members(opened):
                with opened.open(member) as source, (target / name).open("wb") as stream:
                    pieces = iter(lambda: source.read(_PIECE), b"")
                    left -= _copy(pieces, stream, left, "Unpacked, the archive is")
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        NotImplementedError,
        EOFError,
        OSError,
        ValueError,
        IndexError,
        struct.error,
        zlib.error,
        lzma.LZMAError,
    ) as error:
        raise UsageError(f"The archive cannot be unpacked: {error}.") from None
    except RuntimeError:
        raise UsageError("The archive is encrypted; upload one without a password.") from None


def _refuse_swelling(files: Iterable[Path], renamed: dict[str, str]) -> None:
    """Refuse Parquet files that are many times larger once they are read."""
    for file in files:
        if file.suffix.lower() == ".parquet" and swells_beyond(file, LARGEST_UNPACKED):
            name = renamed.get(file.name, file.name)
            largest = LARGEST_UNPACKED // 1024**2
            raise UsageError(f"{name} is larger than {largest} MB once it is read, or damaged.")


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files of the one folder that the archive holds, with their names in it."""
    files = [each for each in archive.infolist() if not each.is_dir() and not _is_scrap(each)]
    if len(files) > MOST_FILES:
        raise UsageError(f"The archive has {len(files)} files; a corpus has at most {MOST_FILES}.")
    folders = {PurePosixPath(each.filename).parent for each in files}
    for each in files:
        path = PurePosixPath(each.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in each.filename or _is_link(each):
            raise UsageError(f"The archive has a file that leads elsewhere: {each.filename!r}.")
    if len(folders) > 1:
        names = ", ".join(sorted(map(repr, map(str, folders))))
        raise UsageError(f"The archive must hold one corpus folder, but has files in {names}.")
    yield from ((each, PurePosixPath(each.filename).name) for each in files)


def _is_scrap(member: zipfile.ZipInfo) -> bool:
    """What a desktop puts into archives by itself."""
    path = PurePosixPath(member.filename)
    return path.parts[:1] == _SCRAP or path.name == ".DS_Store"


def _is_link(member: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(member.external_attr >> 16)
    return kind not in (0, stat.S_IFREG)


def _copy(pieces: Iterable[bytes], stream: IO[bytes], limit: int, subject: str) -> int:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            largest = LARGEST_UPLOAD if subject == "The file is" else LARGEST_UNPACKED
            raise UsageError(f"{subject} larger than {largest // 1024**2} MB, which is the limit.")
        stream.write(piece)
    return size


def _loaded(path: Path, folder: Path, renamed: dict[str, str]) -> Corpus:
    """The corpus; problems and notes name the files as the sender knows them."""
    try:
        corpus = load(path)
    except CorpusError as error:
        raise CorpusError(_shown(each, folder, renamed) for each in error.problems) from None
    notes = tuple(_shown(note, folder, renamed) for note in corpus.notes)
    return replace(corpus, notes=notes)


def _shown(problem: Problem, folder: Path, renamed: dict[str, str]) -> Problem:
    if problem.file is None:
        return problem
    path = Path(problem.file)
    name = path.name if path.parent == folder else ("" if path == folder else str(path))
    return replace(problem, file=renamed.get(name, name) or None)
