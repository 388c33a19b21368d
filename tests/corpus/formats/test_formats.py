from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats import FORMATS, Reader, Writer, read
from gistmark.errors import UsageError
from gistmark.records import Summary


@pytest.mark.parametrize("name", FORMATS.names())
def test_every_format_reads_and_describes_itself_in_a_sentence(name: str) -> None:
    result = FORMATS.get(name)
    assert isinstance(result, Reader)
    assert result.name == name
    assert result.description.endswith(".")
    assert "\n" not in result.description


def test_every_format_but_three_that_only_papers_write_is_written_too() -> None:
    only_read = {name for name in FORMATS if not isinstance(FORMATS.get(name), Writer)}
    assert only_read == {"pyrxsum", "realsumm", "rose"}


def test_an_option_that_a_format_does_not_take_is_an_error_that_lists_those_that_do() -> None:
    with pytest.raises(UsageError) as caught:
        read(FORMATS.get("pairs"), Path("x"), {"columns": {"text": "body"}})
    assert str(caught.value) == (
        "The format 'pairs' does not take --columns; these do: jsonl, csv, parquet."
    )


def test_a_reader_that_takes_no_options_is_read_without_any(tmp_path: Path) -> None:
    """As plugins that were written before there were options do."""

    class Plain:
        name = "plain"
        description = "Plain."

        def read(self, source: Path) -> Corpus:
            return Corpus(summaries=(Summary("a", source.name, "s"),))

    assert read(Plain(), Path("lead"), {}).systems == ("lead",)


def test_an_unknown_format_is_an_error_with_a_guess() -> None:
    with pytest.raises(UsageError, match="Did you mean 'summeval'"):
        FORMATS.get("sumeval")
