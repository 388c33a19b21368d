"""Word vectors: every format gives the same vectors, and none runs anything."""

from __future__ import annotations

import gzip
import os
import pickle
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import GistmarkError
from gistmark.models import EMBEDDED, KNOWN, fetch, is_here
from gistmark.models.vectors.words import label, plain_name, word_vectors

WORDS = ["cat", "Straße", "橋", "new york"]
MATRIX = np.array([[1, 0.5], [-2, 3.25], [0, 0], [7, -0.125]], dtype=np.float32)


def text(header: str = "") -> str:
    rows = (" ".join([word, *map(str, row)]) for word, row in zip(WORDS, MATRIX, strict=True))
    return header + "\n".join(rows) + "\n"


def binary(line_break: bytes) -> bytes:
    rows = (
        word.encode() + b" " + struct.pack("<2f", *row) + line_break
        for word, row in zip([*WORDS[:3], "new_york"], MATRIX, strict=True)
    )
    return b"4 2\n" + b"".join(rows)


def written(folder: Path, kind: str) -> Path:
    path = folder / kind
    if kind.startswith("glove"):
        content = text().encode()
    elif kind.startswith("word2vec.txt"):
        content = text("4 2\n").encode()
    else:
        content = binary(b"\n" if "lines" in kind else b"")
    path.write_bytes(gzip.compress(content) if kind.endswith(".gz") else content)
    return path


@pytest.mark.parametrize(
    "kind",
    [
        "glove.txt",
        "glove.txt.gz",
        "word2vec.txt",
        "word2vec.txt.gz",
        "w.bin",
        "lines.bin",
        "w.bin.gz",
    ],
)
def test_every_format_gives_the_same_vectors(kind: str, tmp_path: Path):
    path = written(tmp_path, kind)
    vectors = word_vectors(str(path))
    assert len(vectors) == 4
    assert vectors.size == 2
    last = "new_york" if ".bin" in kind else "new york"
    result = vectors.look_up(["橋", "dog", last, "cat", "Straße", ""])
    assert result.rows.tolist() == [2, -1, 3, 0, 1, -1]
    assert result.unknown == 2
    np.testing.assert_array_equal(vectors.matrix, MATRIX)
    assert isinstance(vectors.matrix, np.memmap)
    assert label(str(path)) == f"{kind}@{sha256(path.read_bytes()).hexdigest()[:12]}"


@pytest.mark.parametrize("apart", [False, True], ids=["one file", "matrix apart"])
def test_a_file_of_gensim_is_read_without_gensim(apart: bool, tmp_path: Path):
    gensim = pytest.importorskip("gensim.models")
    made = gensim.KeyedVectors(2)
    made.add_vectors(WORDS, MATRIX)
    path = tmp_path / "toy.kv"
    made.save(str(path), sep_limit=0 if apart else 10**9)
    assert (tmp_path / "toy.kv.vectors.npy").exists() == apart
    vectors = word_vectors(str(path))
    assert vectors.look_up(WORDS).rows.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(vectors.matrix, MATRIX)


class Evil:
    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return (os.mkdir, ("pwned",))


def test_a_pickle_with_code_in_it_is_refused_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("evil.kv").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(GistmarkError, match=r"without running code .*save_word2vec_format"):
        word_vectors("evil.kv")
    assert not Path("pwned").exists()


def test_the_first_of_two_vectors_of_a_word_counts(tmp_path: Path):
    path = tmp_path / "twice.txt"
    path.write_text("a 1 2\nb 3 4\na 5 6\n")
    vectors = word_vectors(str(path))
    assert vectors.look_up(["a", "b"]).rows.tolist() == [0, 1]


def test_vectors_are_converted_once(tmp_path: Path, models: Path):
    path = written(tmp_path, "glove.txt")
    word_vectors(str(path))
    (folder,) = (models / "converted").iterdir()
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    word_vectors.__globals__["_open_vectors"].cache_clear()
    word_vectors(str(path))
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def test_a_changed_file_is_read_anew(tmp_path: Path):
    path = tmp_path / "v.txt"
    path.write_text("a 1 2\n")
    old, old_label = word_vectors(str(path)), label(str(path))
    path.write_text("a 1 2\nb 3 4\n")
    assert len(old) == 1
    assert len(word_vectors(str(path))) == 2
    assert label(str(path)) != old_label


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("v.txt", b"a 1 2\nb 3\n", r"v\.txt:2: expected a word and 2 numbers"),
        ("v.txt", b"a 1 2\nb 3 x\n", r"v\.txt:2: could not convert string to float"),
        ("v.txt", b"", "there are no word vectors in it"),
        ("v.txt", b"word\n", r"v\.txt:1: expected a word and 1 numbers"),
        ("v.bin", b"not a header\n", "begins with two numbers"),
        ("v.bin", b"2 2\na \0\0\0\0", "the file ends before its 2 vectors do"),
        ("v.bin", b"1 2\nabc", "the file ends within a word"),
        ("v.kv", b"", "cannot be read without running code"),
    ],
)
def test_a_damaged_file_is_one_sentence(name: str, content: bytes, told: str, tmp_path: Path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(GistmarkError, match=told):
        word_vectors(str(tmp_path / name))


def test_what_is_not_there_is_told():
    with pytest.raises(GistmarkError, match="nor a pipeline of spaCy nor one of glove-6b-50d"):
        word_vectors("nowhere.txt")
    with pytest.raises(GistmarkError, match="gistmark models get glove-6b-50d"):
        word_vectors("glove-6b-50d")
    assert label("nowhere.txt") == "nowhere.txt@missing"
    assert label("glove-6b-50d") == "glove-6b-50d@5c2b08fb0cd0"


def test_the_embedded_vectors_are_those_of_glove():
    """The first numbers of "the" in glove.6B.50d.txt are 0.418 0.24968 -0.41242."""
    assert EMBEDDED[0] == "glove-6b-50d"
    try:
        fetch("glove-6b-50d")
    except GistmarkError as error:
        pytest.skip(f"THE EMBEDDED VECTORS COULD NOT BE FETCHED: {error}")
    vectors = word_vectors("glove-6b-50d")
    assert (len(vectors), vectors.size) == (400_000, 50)
    result = vectors.look_up(["the", "bridge", "Bridge"])
    assert result.unknown == 1
    assert vectors.matrix[result.rows[0]][:3] == pytest.approx([0.418, 0.24968, -0.41242])
    wheel = KNOWN["glove-6b-50d"].wheel
    assert wheel is not None
    assert vectors.sha256 == wheel.sha256


def test_a_known_name_may_carry_the_hash_that_signatures_show() -> None:
    shown = label("glove-6b-50d")
    assert label(shown) == shown
    assert label("glove-6b-50d@ffffffffffff").endswith("@missing")


@pytest.fixture
def gensim_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gensim's data folder with a binary file and a text, both called NAME/NAME.gz."""
    folder = tmp_path / "gensim-data"
    monkeypatch.setenv("GENSIM_DATA_DIR", str(folder))
    contents = {"word2vec-google-news-300": binary(b""), "glove-twitter-25": text("4 2\n").encode()}
    for name, content in contents.items():
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.gz").write_bytes(gzip.compress(content))
    return folder


@pytest.mark.parametrize("name", ["word2vec-google-news-300", "glove-twitter-25"])
def test_vectors_of_gensims_downloader_are_read_where_it_keeps_them(name: str, gensim_data: Path):
    vectors = word_vectors(name)
    np.testing.assert_array_equal(vectors.matrix, MATRIX)
    assert vectors.look_up(["Straße", "dog"]).rows.tolist() == [1, -1]
    digest = sha256((gensim_data / name / f"{name}.gz").read_bytes()).hexdigest()
    assert label(name) == f"{name}@{digest[:12]}"
    assert plain_name(label(name)) == name
    assert label(label(name)) == label(name)
    assert is_here(KNOWN[name])


def test_vectors_that_gensim_has_not_fetched_say_where_to_put_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path))
    name = "glove-twitter-25"
    told = (
        rf"no {tmp_path / name}/{name}\.gz; .*with gensim: python -m gensim\.downloader -d {name}$"
    )
    with pytest.raises(GistmarkError, match=told):
        word_vectors(name)
    with pytest.raises(GistmarkError, match=told):
        fetch(name)
    assert label(name) == f"{name}@missing"
    assert plain_name(f"{name}@missing") == name
    assert not is_here(KNOWN[name])


def test_without_a_choice_gensims_folder_is_that_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("GENSIM_DATA_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(GistmarkError, match=str(tmp_path / "gensim-data" / "glove-twitter-25")):
        word_vectors("glove-twitter-25")
