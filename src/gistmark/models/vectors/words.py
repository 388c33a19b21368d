"""Word vectors that open at once, however many there are.

Whatever the format, vectors are turned once into two files of the model folder that are mapped
into memory: the matrix, and the sorted hashes of the words. Opening GloVe's 400,000 words or
word2vec's three million then takes no time, and processes share the memory.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.catalogue import KNOWN, Model
from gistmark.models.store import model_folder, models_folder
from gistmark.models.vectors.files import Float32, chunks_of, files_of
from gistmark.runtime.files import atomic_folder, user_path
from gistmark.signature import without_hash

Int64 = NDArray[np.int64]
UNKNOWN = -1
_FACTS = "facts.json"


@dataclass(frozen=True)
class Lookup:
    """The rows of some words: for each its row or `UNKNOWN`, and how many are unknown."""

    rows: Int64
    unknown: int


@dataclass(frozen=True)
class WordVectors:
    """A matrix with a row per word, both mapped from disk. `sha256` is that of the source."""

    name: str
    sha256: str
    matrix: Float32
    hashes: NDArray[np.uint64]
    rows_of_hashes: Int64

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def size(self) -> int:
        """The number of dimensions."""
        return int(self.matrix.shape[1])

    def look_up(self, words: Sequence[str]) -> Lookup:
        """The rows of the words, all at once; words are distinguished by 64-bit hashes."""
        word_hashes = _hashes(words)
        rows = np.full(len(word_hashes), UNKNOWN, dtype=np.int64)
        if len(self.hashes) and len(word_hashes):
            positions = np.minimum(np.searchsorted(self.hashes, word_hashes), len(self.hashes) - 1)
            is_known = self.hashes[positions] == word_hashes
            rows[is_known] = self.rows_of_hashes[positions[is_known]]
        return Lookup(rows, int((rows == UNKNOWN).sum()))


def word_vectors(name: str) -> WordVectors:
    """The vectors of a known model that is here, or those of a file.

    Known are the embedded ones and those of gensim's downloader, which are read where it keeps
    them. A known name may carry its hash as signatures show it: `glove-6b-50d@5c2b08fb0cd0`.
    Nothing is fetched. Vectors that are not here are an error that says what to do.
    """
    return _open_vectors(*_source(name))


def label(name: str) -> str:
    """The vectors' name and the start of their SHA-256, as signatures show them."""
    model = _model_named(name)
    if model is not None and model.wheel is not None:
        return f"{model.name}@{model.wheel.sha256[:12]}"
    display_name = model.name if model is not None else Path(name).name
    try:
        return f"{display_name}@{_source(name)[1][:12]}"
    except GistmarkError:
        return f"{display_name}@missing"


def plain_name(name: str) -> str:
    """The name of vectors without the hash that a signature shows.

    A known name with a hash other than its own keeps that hash, and so is not found.
    """
    model = _model_named(name)
    if model is not None:
        return model.name
    plain = without_hash(name)
    return name if plain in KNOWN else plain


def _model_named(name: str) -> Model | None:
    """The known model of this name, with or without `@` and the start of its hash."""
    plain, at, digest = name.rpartition("@")
    model = KNOWN.get(plain if at else name)
    if not at or model is None:
        return model
    if model.wheel is None:
        return model if without_hash(name) == plain else None
    return model if model.wheel.sha256.startswith(digest) else None


def _source(name: str) -> tuple[Path, str]:
    """Where the vectors come from, and the SHA-256 of that."""
    model = _model_named(name)
    path = user_path(name)
    if model is not None and model.kind == "word vectors":
        folder = model_folder(model.name)
        if model.wheel is not None:
            return folder, model.wheel.sha256
        path = folder / f"{model.name}.gz"
    if not path.is_file():
        names = ", ".join(entry.name for entry in KNOWN.values() if entry.kind == "word vectors")
        raise GistmarkError(
            f"There are no word vectors {name!r}: neither a file nor a pipeline of spaCy nor one "
            f"of {names}."
        )
    files = files_of(path.resolve())
    stamps = tuple((str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files)
    return path.resolve(), _digest(stamps)


@lru_cache(maxsize=32)
def _digest(stamps: tuple[tuple[str, int, int], ...]) -> str:
    """The SHA-256 of the files, read once for each state that they are in."""
    digest = sha256()
    for file, _, _ in stamps:
        with Path(file).open("rb") as opened:
            while block := opened.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()


@lru_cache(maxsize=4)
def _open_vectors(path: Path, digest: str) -> WordVectors:
    name = re.sub("[|:]", "_", path.name)
    folder = models_folder() / "converted" / f"{name}-{digest[:16]}"
    if not _is_converted(folder):
        _convert(path, folder)
    facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
    return WordVectors(
        name=path.name,
        sha256=digest,
        matrix=_mapped(folder / "vectors", np.float32, (facts["words"], facts["size"])),
        hashes=_mapped(folder / "hashes", np.uint64, (facts["distinct"],)),
        rows_of_hashes=_mapped(folder / "rows", np.int64, (facts["distinct"],)),
    )


def _mapped(file: Path, kind: type[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    return np.memmap(file, dtype=kind, mode="r", shape=shape)


def _is_converted(folder: Path) -> bool:
    return (folder / _FACTS).is_file()


def _convert(path: Path, folder: Path) -> None:
    """Write the mapped form beside the models, whole or not at all."""
    try:
        with atomic_folder(folder, is_complete=_is_converted) as draft:
            draft.mkdir()
            _write(path, draft)
    except OSError as error:
        free = shutil.disk_usage(Path(folder.anchor)).free
        raise GistmarkError(
            f"The word vectors {path.name} cannot be kept in {folder.parent}: "
            f"{error.strerror or error} ({free / 1e6:.0f} MB are free); "
            "GISTMARK_MODELS chooses another folder."
        ) from error


def _write(path: Path, folder: Path) -> None:
    parts: list[NDArray[np.uint64]] = []
    size = 0
    with (folder / "vectors").open("wb") as opened:
        for words, vectors in chunks_of(path):
            if len(words) != len(vectors):
                raise GistmarkError(f"{path}: {len(words):,} words, but {len(vectors):,} vectors.")
            size = vectors.shape[1]
            opened.write(np.ascontiguousarray(vectors, dtype=np.float32).data)
            parts.append(_hashes(words))
    hashes = np.concatenate(parts) if parts else np.empty(0, dtype=np.uint64)
    if not len(hashes) or not size:
        raise GistmarkError(f"{path}: there are no word vectors in it.")
    distinct, rows = np.unique(hashes, return_index=True)
    distinct.tofile(folder / "hashes")
    rows.astype(np.int64).tofile(folder / "rows")
    facts = {"words": len(hashes), "size": size, "distinct": len(distinct)}
    (folder / _FACTS).write_text(json.dumps(facts), encoding="utf-8")


def _hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    joined = b"".join(
        blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words
    )
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)
