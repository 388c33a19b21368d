from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from gistmark.corpus import LinePairs, load, open_lines
from gistmark.errors import CorpusError, UsageError


def pair(folder: Path, summaries: str | bytes, *references: str | bytes) -> LinePairs:
    paths = []
    for name, data in zip(("sys", "r1", "r2"), (summaries, *references), strict=False):
        paths.append(folder / f"{name}.txt")
        paths[-1].write_bytes(data if isinstance(data, bytes) else data.encode())
    return open_lines(paths[0], paths[1:])


def lines(pairs: LinePairs, size: int = 100) -> list[tuple[str, tuple[str, ...]]]:
    return [
        both
        for chunk in pairs.chunks(size)
        for both in zip(chunk.summaries, chunk.references, strict=True)
    ]


def test_lines_are_paired_with_all_references(tmp_path: Path) -> None:
    assert lines(pair(tmp_path, "a\nb\n", "c\nd\n", "e\nf")) == [
        ("a", ("c", "e")),
        ("b", ("d", "f")),
    ]


def test_chunks_say_where_they_start(tmp_path: Path) -> None:
    chunks = list(pair(tmp_path, "a\nb\nc\nd\ne\n", "1\n2\n3\n4\n5\n").chunks(2))
    assert [(c.start, c.summaries) for c in chunks] == [
        (1, ["a", "b"]),
        (3, ["c", "d"]),
        (5, ["e"]),
    ]


def test_a_line_ends_at_a_line_feed_only_and_loses_one_carriage_return(tmp_path: Path) -> None:
    text = "a\x0bb\x1cc\x85d\u2028e\rf\r\r\n\r\n \ng\r"
    expected = ["a\x0bb\x1cc\x85d\u2028e\rf\r", "", " ", "g"]
    for size in (1, 2, 100):
        assert [s for s, _ in lines(pair(tmp_path, text, "\n\n\n\n"), size)] == expected


def test_empty_lines_are_empty_summaries(tmp_path: Path) -> None:
    assert lines(pair(tmp_path, "\n\n", "a\n\n")) == [("", ("a",)), ("", ("",))]


@pytest.mark.parametrize("size", [1, 2, 100])
def test_files_of_different_length_are_an_error_with_both_counts(tmp_path: Path, size: int) -> None:
    pairs = pair(tmp_path, "a\nb\nc\n", "a\nb\nc\nd\ne")
    with pytest.raises(CorpusError, match=r"sys\.txt has 3, .*r1\.txt has 5\."):
        lines(pairs, size)


def test_a_bad_byte_is_reported_with_its_line(tmp_path: Path) -> None:
    pairs = pair(tmp_path, b"ok\n" * 5000 + b"caf\xe9\n", "ok\n" * 5001)
    with pytest.raises(CorpusError) as caught:
        lines(pairs)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line) == (str(tmp_path / "sys.txt"), 5001)
    assert problem.message.startswith("Byte 4 of this line (0xE9) is not UTF-8.")


def test_a_bad_first_byte_is_reported_too(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"sys\.txt:1: Byte 1 of this line"):
        lines(pair(tmp_path, b"\xe9\n", "a\n"))


def test_a_byte_order_mark_is_left_out_with_a_note(tmp_path: Path) -> None:
    corpus = pair(tmp_path, b"\xef\xbb\xbfa\n", "b\n").load()
    assert corpus.summaries[0].text == "a"
    assert len(corpus.notes) == 1


def test_wide_and_missing_and_empty_files_are_refused_before_reading(tmp_path: Path) -> None:
    (tmp_path / "wide.txt").write_bytes("a\n".encode("utf-16"))
    (tmp_path / "empty.txt").write_bytes(b"")
    with pytest.raises(CorpusError) as caught:
        open_lines(tmp_path / "wide.txt", [tmp_path / "empty.txt", tmp_path / "none.txt"])
    result = [problem.message for problem in caught.value.problems]
    assert [message.split(";")[0].split(":")[0] for message in result] == [
        "The file is UTF-16",
        "The file is empty.",
        "The file cannot be read",
    ]


def test_a_corpus_of_lines_has_line_numbers_as_ids_and_no_documents(tmp_path: Path) -> None:
    pair(tmp_path, "a\nb\n", "c\nd\n", "e\nf\n")
    corpus = load(tmp_path / "sys.txt", references=[tmp_path / "r1.txt", tmp_path / "r2.txt"])
    assert corpus.documents == ()
    assert [(s.document, s.system, s.text, s.reference) for s in corpus.summaries] == [
        ("1", "sys", "a", False),
        ("1", "reference", "c", True),
        ("1", "reference-2", "e", True),
        ("2", "sys", "b", False),
        ("2", "reference", "d", True),
        ("2", "reference-2", "f", True),
    ]


def test_the_system_is_called_after_the_file_or_as_asked(tmp_path: Path) -> None:
    (tmp_path / "gpt-4.1.txt").write_text("a\n")
    path = tmp_path / "gpt-4.1.txt"
    assert open_lines(path, path).system == "gpt-4.1"
    assert open_lines(path, path, system="mine").system == "mine"
    with pytest.raises(UsageError, match="cannot be called 'reference'"):
        open_lines(path, path, system="reference")


def test_references_are_needed_and_chunks_are_not_empty(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at least one file"):
        open_lines(tmp_path / "a.txt", [])
    with pytest.raises(UsageError, match="at least 1"):
        list(pair(tmp_path, "a\n", "b\n").chunks(0))


def test_reading_holds_no_more_than_a_chunk(tmp_path: Path) -> None:
    """100,000 lines of 100 characters in two files are 20 MB; a chunk of 1,000 is 0.2 MB."""
    text = ("x" * 99 + "\n") * 100_000
    pairs = pair(tmp_path, text, text)
    tracemalloc.start()
    assert sum(len(chunk.summaries) for chunk in pairs.chunks(1_000)) == 100_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000
