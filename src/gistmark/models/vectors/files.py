"""Files of word vectors, read in chunks: GloVe text, word2vec text and binary, gensim, Parquet.

Any of the texts and binaries may be compressed with gzip. A `.kv` file of gensim is a pickle; it
is read by an unpickler that knows plain arrays and nothing else, so no code in it can run.
"""

from __future__ import annotations

import gzip
import io
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError

Float32 = NDArray[np.float32]
Chunk = tuple[list[str], Float32]

_CHUNK = 20_000
_GENSIM = (".kv", ".model", ".wordvectors")
_ARRAYS = {
    ("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode"),
    *((f"numpy.{core}.{module}", name)
      for core in ("core", "_core")
      for module, name in (("multiarray", "_reconstruct"), ("multiarray", "scalar"),
                           ("numeric", "_frombuffer"))),
}  # fmt: skip


def chunks_of(path: Path) -> Iterator[Chunk]:
    """Words and their vectors, some thousands at a time; name and header tell the format."""
    if path.is_dir():
        return _table(path)
    if path.suffix in _GENSIM:
        return _gensim(path)
    return _binary(path) if ".bin" in path.suffixes or _looks_binary(path) else _text(path)


def files_of(path: Path) -> list[Path]:
    """All files that belong to the vectors at `path`."""
    array_file = path.with_name(f"{path.name}.vectors.npy")
    return [path, array_file] if path.suffix in _GENSIM and array_file.is_file() else [path]


def _looks_binary(path: Path) -> bool:
    """Whether word2vec's header is followed by bytes that are no numbers in writing.

    Gensim's downloader calls binary files and texts alike NAME.gz.
    """
    with _open_file(path) as opened:
        fields = opened.readline(100).split()
        if len(fields) != 2 or not all(field.isdigit() for field in fields):
            return False
        sample = opened.read(1000 + 4 * int(fields[1]))
    return any(byte < ord("\t") for byte in sample)


def _table(folder: Path) -> Iterator[Chunk]:
    """A model folder with one NumPy array and one Parquet table of words in the same order."""
    from pyarrow.parquet import read_table

    vectors = np.load(next(folder.glob("*.npy")), allow_pickle=False)
    words = read_table(next(folder.glob("*.parquet"))).column(0).to_pylist()
    yield [str(word) for word in words], np.ascontiguousarray(vectors, dtype=np.float32)


def _text(path: Path) -> Iterator[Chunk]:
    words: list[str] = []
    rows: list[str] = []
    size = 0
    with _open_file(path) as opened:
        for number, line in enumerate(io.TextIOWrapper(opened, "utf-8", "replace", "\n"), start=1):
            fields = line.split()
            if number == 1 and len(fields) == 2 and all(field.isdecimal() for field in fields):
                size = int(fields[1])
                continue
            size = size or len(fields) - 1
            word, *values = line.rstrip().rsplit(" ", size)
            if size < 1 or len(values) != size:
                raise GistmarkError(f"{path}:{number}: expected a word and {max(size, 1)} numbers.")
            words.append(word)
            rows.append(" ".join(values))
            if len(words) == _CHUNK:
                yield words, _numbers(path, number, rows, size)
                words, rows = [], []
        if words:
            yield words, _numbers(path, number, rows, size)


def _numbers(path: Path, last_line: int, rows: list[str], size: int) -> Float32:
    try:
        return np.array(" ".join(rows).split(" "), dtype=np.float32).reshape(len(rows), size)
    except ValueError as error:
        for line, row in enumerate(rows, start=last_line - len(rows) + 1):
            try:
                np.array(row.split(" "), dtype=np.float32)
            except ValueError as line_error:
                raise GistmarkError(f"{path}:{line}: {line_error}.") from None
        raise GistmarkError(f"{path}: {error}.") from None


def _binary(path: Path) -> Iterator[Chunk]:
    with _open_file(path) as opened:
        count, size = _read_header(path, opened)
        for start in range(0, count, _CHUNK):
            words: list[str] = []
            rows = bytearray()
            for _ in range(min(_CHUNK, count - start)):
                words.append(_read_word(path, opened))
                row = opened.read(4 * size)
                if len(row) != 4 * size:
                    raise GistmarkError(f"{path}: the file ends before its {count:,} vectors do.")
                rows += row
            yield words, np.frombuffer(bytes(rows), dtype="<f4").reshape(-1, size)


def _read_header(path: Path, opened: IO[bytes]) -> tuple[int, int]:
    try:
        count, size = map(int, opened.readline(100).split())
    except ValueError:
        raise GistmarkError(
            f"{path}: not word2vec's binary format, which begins with two numbers."
        ) from None
    return count, size


def _read_word(path: Path, opened: IO[bytes]) -> str:
    """The bytes up to a space; a line break before them belongs to the vector before."""
    word = bytearray()
    while (byte := opened.read(1)) != b" ":
        if not byte:
            raise GistmarkError(f"{path}: the file ends within a word.")
        if byte != b"\n":
            word += byte
    return word.decode("utf-8", "replace")


def _open_file(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return io.BufferedReader(gzip.open(path, "rb"), 1 << 20)
    return path.open("rb", buffering=1 << 20)


class _Inert:
    """What stands for any object of gensim: its attributes, and nothing that runs."""


class _ArraysOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _ARRAYS:
            return super().find_class(module, name)
        if module.startswith("gensim.models."):
            return _Inert
        raise pickle.UnpicklingError(f"it contains {module}.{name}, which is not plain data")


def _gensim(path: Path) -> Iterator[Chunk]:
    attributes = _attributes(path)
    words = attributes.get("index_to_key", attributes.get("index2word"))
    vectors = attributes.get("vectors")
    array_file = path.with_name(f"{path.name}.vectors.npy")
    if vectors is None and array_file.is_file():
        vectors = np.load(array_file, mmap_mode="r", allow_pickle=False)
    if words is None or vectors is None:
        raise GistmarkError(
            f"{path}: there are no word vectors in it, nor is {array_file.name} there."
        )
    yield list(words), np.ascontiguousarray(vectors, dtype=np.float32)


def _attributes(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as opened:
            attributes: dict[str, Any] = vars(_ArraysOnly(opened).load())
    except Exception as error:
        raise GistmarkError(
            f"{path} cannot be read without running code that is in it ({error}); convert it "
            "with gensim: KeyedVectors.load(...).save_word2vec_format('vectors.bin', binary=True)"
        ) from None
    inner: dict[str, Any] = vars(attributes["wv"]) if "wv" in attributes else attributes
    return inner
