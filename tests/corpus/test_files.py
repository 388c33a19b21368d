from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus.files.text import file_name, name_of_file, read_text
from gistmark.errors import Diagnostics
from gistmark.runtime.files import write_text


def read(path: Path, data: bytes) -> tuple[str | None, Diagnostics]:
    path.write_bytes(data)
    diagnostics = Diagnostics()
    return read_text(path, diagnostics), diagnostics


def complaint(path: Path, data: bytes) -> str:
    text, diagnostics = read(path, data)
    assert text is None
    (problem,) = diagnostics.problems
    return str(problem).removeprefix(str(path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def test_text_passes_untouched(path: Path) -> None:
    text = "a\r\nb\rc\x85d\u2028e\x0b\x1c e\u0301 \u200b👍🏽 שלום 漢字\t"
    assert read(path, text.encode())[0] == text


def test_a_byte_order_mark_is_left_out_with_a_note(path: Path) -> None:
    text, diagnostics = read(path, b"\xef\xbb\xbfabc")
    assert text == "abc"
    assert "byte order mark" in diagnostics.notes[0].message


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-16", "UTF-16;"),
        ("utf-32", "UTF-32;"),
        ("utf-16-le", "UTF-16 (without"),
        ("utf-16-be", "UTF-16 (without"),
        ("utf-32-le", "UTF-32 (without"),
        ("utf-32-be", "UTF-32 (without"),
    ],
)
def test_wide_encodings_are_refused_by_name(path: Path, encoding: str, named: str) -> None:
    assert f"The file is {named}" in complaint(path, '{"id": 1}'.encode(encoding))


def test_a_latin_1_file_is_refused_with_line_byte_and_advice(path: Path) -> None:
    data = "first\nça va\nnaïve café\n".encode("latin-1")
    assert complaint(path, data) == (
        ":2: Byte 1 of this line (0xE7) is not UTF-8 (the first such line of 2). "
        "The file may be Latin-1 or Windows-1252: convert it, for example with "
        "iconv -f WINDOWS-1252 -t UTF-8."
    )


def test_a_cut_off_character_is_refused_where_it_stands(path: Path) -> None:
    assert complaint(path, b"one\nab\xe2\x82").startswith(":2: Byte 3 of this line (0xE2)")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04\x14\x00\xff", "a ZIP archive or an Excel workbook"),
        (b"\x1f\x8b\x08\x00\xff", "a gzip archive"),
        (b"abc\x00\xff\xfe\x00", "a binary file"),
    ],
)
def test_a_binary_file_is_refused_as_one(path: Path, data: bytes, kind: str) -> None:
    assert complaint(path, data) == f": This is {kind}, not UTF-8 text."


def test_text_that_starts_like_a_pdf_is_still_text(path: Path) -> None:
    assert read(path, b"%PDF is a format")[0] == "%PDF is a format"


def test_an_empty_file_is_refused(path: Path) -> None:
    assert complaint(path, b"") == ": The file is empty."


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert read_text(tmp_path / "none.csv", diagnostics) is None
    assert "No such file" in diagnostics.problems[0].message


def test_a_text_that_starts_with_a_mark_keeps_it(path: Path) -> None:
    write_text(path, "\ufeffabc")
    assert read_text(path, Diagnostics()) == "\ufeffabc"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("lead", "lead"),
        ("漢字 é", "漢字 é"),
        ("a/b", "a%2Fb"),
        ("..", "%2E%2E"),
        (".hidden", "%2Ehidden"),
        ("50%", "50%25"),
        ("a\nb\x00", "a%0Ab%00"),
        ("end. ", "end.%20"),
        ("~", "%7E"),
    ],
)
def test_any_name_is_a_file_name_and_comes_back(name: str, file: str) -> None:
    assert file_name(name) == file
    assert name_of_file(file) == name


def test_escapes_that_were_not_made_here_stay() -> None:
    assert name_of_file("caf%C3%A9 %41") == "caf%C3%A9 %41"
