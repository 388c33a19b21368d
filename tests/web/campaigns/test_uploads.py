"""Uploaded corpora: what is read, and what tricks are refused."""

from __future__ import annotations

import io
import stat
import zipfile
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from gistmark.corpus import load, sample_folder
from gistmark.errors import CorpusError, GistmarkError, UsageError
from gistmark.runtime.seeds import generator
from gistmark.web.campaigns.services import uploads
from gistmark.web.campaigns.services.swelling import swells_beyond
from gistmark.web.campaigns.services.uploads import read_upload

LINE = b'{"id": "a", "text": "One two.", "summaries": {"lead": "One."}}\n'


def archive(files: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return written.getvalue()


def sample_files(folder: str = "") -> dict[str, bytes]:
    return {f"{folder}{path.name}": path.read_bytes() for path in sample_folder().iterdir()}


@pytest.mark.parametrize("folder", ["", "sample/", "a/b/"])
def test_an_archive_of_a_corpus_folder_is_read(folder):
    corpus = read_upload("My corpus.ZIP", [archive(sample_files(folder))])
    assert corpus == load(sample_folder())


def test_a_single_file_is_read():
    corpus = read_upload("news.jsonl", [LINE[:20], LINE[20:]])
    assert corpus.systems == ("lead",)


def test_the_table_of_the_thesis_tool_is_recognised():
    rows = b"idx,title,gold,bart_summaries\n7,Rain,It rained.,Rain fell.\n"
    corpus = read_upload("rows.csv", [rows])
    assert corpus.systems == ("bart",)
    assert [reference.text for reference in corpus.references["7"]] == ["It rained."]


def test_what_a_desktop_adds_is_left_out():
    files = sample_files("c/") | {"__MACOSX/c/._x": b"?", "c/.DS_Store": b"?"}
    assert read_upload("c.zip", [archive(files)]) == load(sample_folder())


def test_all_problems_are_told_with_the_names_that_the_sender_knows():
    with pytest.raises(CorpusError) as caught:
        read_upload("my news.jsonl", [b'{"id": 1.5}\n', b"{\n", LINE])
    assert [problem.file for problem in caught.value.problems] == ["my news.jsonl"] * 2
    assert [problem.line for problem in caught.value.problems] == [1, 2]
    with pytest.raises(CorpusError) as caught:
        read_upload("c.zip", [archive({"c/documents.jsonl": b"x\n"})])
    assert [problem.file for problem in caught.value.problems] == ["documents.jsonl"]
    assert "tmp" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["../documents.jsonl", "/etc/documents.jsonl", "a/../../documents.jsonl", "a\\b.jsonl"]
)
def test_names_that_lead_elsewhere_are_refused(name):
    with pytest.raises(UsageError, match="leads elsewhere"):
        read_upload("c.zip", [archive({name: LINE})])


def test_links_are_refused():
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as opened:
        link = zipfile.ZipInfo("documents.jsonl")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        opened.writestr(link, "/etc/passwd")
    with pytest.raises(UsageError, match=r"leads elsewhere: 'documents\.jsonl'"):
        read_upload("c.zip", [written.getvalue()])


def test_an_archive_that_swells_is_refused(monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST_UNPACKED", 10 * 1024**2)
    bomb = archive(
        {"documents.jsonl": b" " * (6 * 1024**2), "summaries.jsonl": b" " * (6 * 1024**2)}
    )
    assert len(bomb) < 20_000
    with pytest.raises(UsageError, match="Unpacked, the archive is larger than 10 MB"):
        read_upload("c.zip", [bomb])


def test_a_header_that_lies_about_the_size_does_not_help(monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST_UNPACKED", 1024**2)
    bomb = archive({"documents.jsonl": b" " * (4 * 1024**2)})
    small = (10).to_bytes(4, "little")
    lying = bomb.replace((4 * 1024**2).to_bytes(4, "little"), small)
    with pytest.raises(UsageError):
        read_upload("c.zip", [lying])


def test_a_file_that_is_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST_UPLOAD", 2 * 1024**2)
    with pytest.raises(UsageError, match="The file is larger than 2 MB"):
        read_upload("a.jsonl", (b" " * 1024**2 for _ in range(1000)))


def test_too_many_files_are_refused():
    with pytest.raises(UsageError, match="has 101 files"):
        read_upload("c.zip", [archive({f"{n}.jsonl": LINE for n in range(101)})])


def test_two_folders_are_refused():
    files = {"a/documents.jsonl": LINE, "b/summaries.jsonl": LINE}
    with pytest.raises(UsageError, match="one corpus folder, but has files in 'a', 'b'"):
        read_upload("c.zip", [archive(files)])


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip", archive(sample_files())[:2000]])
def test_what_is_no_archive_is_refused(data):
    with pytest.raises(UsageError, match="cannot be unpacked"):
        read_upload("c.zip", [data])


def test_an_empty_archive_is_no_corpus():
    with pytest.raises(CorpusError, match=r"neither documents\.jsonl nor summaries\.jsonl"):
        read_upload("c.zip", [archive({})])


def test_other_kinds_of_file_are_refused():
    with pytest.raises(UsageError, match=r"ends in \.zip, \.jsonl"):
        read_upload("corpus.pdf", [b""])


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    read_upload("c.zip", [archive(sample_files())])
    with pytest.raises(UsageError):
        read_upload("c.zip", [b"?"])
    assert list(Path(tmp_path).iterdir()) == []


# What swells, and what is broken


def parquet(columns: dict[str, Any], **options: object) -> bytes:
    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), written, **options)
    return written.getvalue()


def test_a_parquet_file_is_read():
    columns = {"id": ["a"], "text": ["One two."], "summary": ["One."], "system": ["lead"]}
    assert not swells_beyond_limit(parquet(columns))


def repeated(times: int) -> pyarrow.DictionaryArray:
    """A text of 1 MB so many times, which is stored once."""
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * times), ["x" * 2**20])


@pytest.mark.parametrize("says_so", [True, False])
def test_a_small_parquet_file_that_swells_is_refused_and_nothing_stays_behind(
    tmp_path: Path, monkeypatch, says_so: bool
):
    """A thousand times 1 MB is 1 GB, and a few kilobytes in the file."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    bomb = parquet({"id": repeated(1_000)}, compression="zstd", store_schema=says_so)
    assert len(bomb) < 10_000
    name, data = ("c.zip", archive({"x.parquet": bomb})) if says_so else ("x.parquet", bomb)
    with pytest.raises(UsageError, match=r"x\.parquet is larger than 200 MB once it is read"):
        read_upload(name, [data])
    assert list(tmp_path.iterdir()) == []


def test_one_row_that_swells_is_refused():
    row = pyarrow.ListArray.from_arrays(pyarrow.array([0, 1_900]), repeated(1_900))
    assert swells_beyond_limit(parquet({"texts": row}, compression="zstd", store_schema=False))


def swells_beyond_limit(data: bytes) -> bool:
    with NamedTemporaryFile(suffix=".parquet") as file:
        file.write(data)
        file.flush()
        return swells_beyond(Path(file.name), uploads.LARGEST_UNPACKED)


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_broken_archive_is_refused_in_a_sentence(method: int):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as opened:
        opened.writestr("documents.jsonl", LINE * 50)
    whole = written.getvalue()
    rng = generator(method, "broken")
    for _ in range(60):
        data = bytearray(whole)
        for position in rng.integers(len(data), size=3):
            data[position] = int(rng.integers(256))
        with suppress(GistmarkError):
            read_upload("c.zip", [bytes(data)])
