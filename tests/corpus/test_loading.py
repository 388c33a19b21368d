from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import load
from gistmark.errors import CorpusError, UsageError


def test_a_path_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nowhere: There is no such file or folder"):
        load(tmp_path / "nowhere")


def test_an_unknown_extension_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "c.docx"
    path.write_text("x")
    with pytest.raises(CorpusError, match=r"\.jsonl, \.csv, \.tsv, \.parquet"):
        load(path)


def test_an_extension_may_be_in_capitals(tmp_path: Path) -> None:
    path = tmp_path / "C.CSV"
    path.write_text("document,system,summary\na,lead,s\n")
    assert load(str(path)).systems == ("lead",)


def test_references_go_with_a_file_of_lines_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        load(tmp_path, references="r.txt")
