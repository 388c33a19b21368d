"""The table of scores: columns, order, records, frames and what a notebook shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import gistmark
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Document, Score, Summary
from gistmark.scoring import Scores, score
from gistmark.scoring.scores import LONG_COLUMNS, wide_table


@pytest.fixture
def scores(small: Corpus) -> Scores:
    return score(small, ["words", "rouge1"])


def test_the_long_table_has_the_promised_columns(scores: Scores):
    frame = scores.to_pandas()
    assert tuple(frame.columns) == LONG_COLUMNS
    assert LONG_COLUMNS == ("document", "system", "metric", "part", "value", "reason")


def test_the_long_table_goes_summary_by_summary_and_metric_by_metric_as_asked(scores: Scores):
    frame = scores.to_pandas()
    rows = list(frame[["document", "system", "metric", "part"]].itertuples(index=False, name=None))
    assert rows[:8] == [
        ("d1", "one", "words", "value"),
        ("d1", "one", "rouge1", "precision"),
        ("d1", "one", "rouge1", "recall"),
        ("d1", "one", "rouge1", "f"),
        ("d1", "two", "words", "value"),
        ("d1", "two", "rouge1", "precision"),
        ("d1", "two", "rouge1", "recall"),
        ("d1", "two", "rouge1", "f"),
    ]
    assert len(frame) == 4 * 4
    assert list(frame["document"]) == ["d1"] * 8 + ["d2"] * 8


def test_values_are_those_of_the_arithmetic_by_hand(scores: Scores):
    result = {(s.document, s.system, s.metric, s.part): s.value for s in scores}
    # "the cat sat" and "the cat ran fast" share "the" and "cat"; with "a mat was there" it
    # shares nothing, so the first is the best reference: P 2/3, R 2/4, F 2·(2/3)(1/2)/(7/6).
    assert result["d1", "one", "rouge1", "precision"] == pytest.approx(2 / 3)
    assert result["d1", "one", "rouge1", "recall"] == pytest.approx(2 / 4)
    assert result["d1", "one", "rouge1", "f"] == pytest.approx(4 / 7)
    # "a mat" and "a mat was there": P 2/2, R 2/4.
    assert result["d1", "two", "rouge1", "f"] == pytest.approx(2 / 3)
    assert result["d2", "one", "rouge1", "f"] == 1.0
    # "a cat" and "a dog ran" share "a": P 1/2, R 1/3.
    assert result["d2", "two", "rouge1", "f"] == pytest.approx(2 / 5)
    assert result["d1", "one", "words", "value"] == 3


def test_pandas_polars_and_the_records_say_the_same(scores: Scores):
    pandas_rows = list(scores.to_pandas().itertuples(index=False, name=None))
    polars_rows = scores.to_polars().rows()
    records = [(s.document, s.system, s.metric, s.part, s.value, s.reason) for s in scores]
    assert polars_rows == records
    assert [row[:5] for row in pandas_rows] == [row[:5] for row in records]


def test_the_length_is_that_of_the_records_and_of_the_long_table(scores: Scores):
    # 4 summaries, of which each has 1 part of words and 3 of rouge1.
    assert len(scores) == len(list(scores)) == len(scores.to_pandas()) == 4 * (1 + 3)
    assert scores.summary_count == 4


def test_a_metric_is_looked_up_by_name_and_a_wrong_name_tells_what_there_is(scores: Scores):
    assert scores["rouge1"].part("f")[0] == pytest.approx(4 / 7)
    with pytest.raises(UsageError, match=r"no metric 'rogue1'.*'rouge1'.*Known: words, rouge1"):
        scores["rogue1"]
    with pytest.raises(UsageError, match=r"no part 'F'.*Known: precision, recall, f"):
        scores["rouge1"].part("F")


def test_a_wide_frame_has_the_columns_of_a_wide_file(scores: Scores, tmp_path: Path):
    scores.write(tmp_path / "wide.csv", wide=True)
    written = pandas.read_csv(tmp_path / "wide.csv")
    assert list(scores.to_pandas(wide=True).columns) == list(written.columns)
    assert scores.to_polars(wide=True).columns == list(written.columns)
    assert len(scores.to_pandas(wide=True)) == 4


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_long_file_has_the_columns_of_the_long_frame(scores: Scores, tmp_path: Path, kind: str):
    file = tmp_path / f"long.{kind}"
    scores.write(file)
    read = {
        "csv": pandas.read_csv,
        "jsonl": lambda path: pandas.read_json(path, lines=True),
        "parquet": pandas.read_parquet,
    }[kind](file)
    assert tuple(read.columns) == LONG_COLUMNS


def test_the_wide_table_has_a_row_per_summary_and_a_column_per_part(scores: Scores):
    table = wide_table(scores)
    assert table.column_names == [
        "document", "system", "words.value", "rouge1.precision", "rouge1.recall", "rouge1.f",
        "reason",
    ]  # fmt: skip
    assert table.num_rows == 4
    assert table["rouge1.f"].to_pylist() == pytest.approx([4 / 7, 2 / 3, 1, 2 / 5])
    assert table["reason"].null_count == 4


def test_a_metric_is_named_as_it_was_asked_for(small: Corpus):
    scores = score(small, ["rougeL:stem=yes", "rougeL"])
    assert list(scores.columns) == ["rougeL:stem=yes", "rougeL"]
    assert set(scores.to_pandas()["metric"]) == {"rougeL:stem=yes", "rougeL"}
    assert "stem:yes" in scores.signatures["rougeL:stem=yes"]
    assert "stem:no" in scores.signatures["rougeL"]


def test_options_in_the_name_change_the_values():
    corpus = Corpus(
        summaries=(
            Summary("d", "gold", "walking walked", reference=True),
            Summary("d", "s", "walks walk"),
        )
    )
    scores = score(corpus, ["rouge1", "rouge1:stem=yes"])
    assert [s.value for s in scores if s.part == "f"] == [0.0, 1.0]


def test_a_value_that_cannot_be_computed_is_missing_with_a_reason():
    corpus = Corpus(
        documents=(Document("d1", ("some text",)), Document("d2", ("some text",))),
        summaries=(
            Summary("d1", "gold", "some text", reference=True),
            Summary("d1", "s", "some text"),
            Summary("d2", "s", "some text"),
        ),
    )
    scores = score(corpus, ["rouge1", "words"])
    missing = [s for s in scores if s.value is None]
    assert missing == [
        Score("d2", "s", "rouge1", part, None, "the document has no reference")
        for part in ("precision", "recall", "f")
    ]
    assert all(s.reason is None for s in scores if s.value is not None)
    frame = scores.to_pandas()
    assert frame["value"].isna().sum() == 3
    assert list(frame.loc[frame["value"].isna(), "reason"]) == ["the document has no reference"] * 3
    assert frame["reason"].notna().sum() == 3
    assert wide_table(scores)["reason"].to_pylist() == [
        None,
        "rouge1: the document has no reference",
    ]
    assert scores.to_polars()["value"].null_count() == 3


def test_a_slice_of_the_table_keeps_its_own_reasons():
    corpus = Corpus(summaries=tuple(Summary(f"d{i}", "s", "text") for i in range(4)))
    scores = score(corpus, ["words", "rouge1"])
    table = wide_table(scores, 2, 4)
    assert table["document"].to_pylist() == ["d2", "d3"]
    assert table["reason"].to_pylist() == ["rouge1: the document has no reference"] * 2


def test_the_repr_names_the_metrics_and_shows_the_leaderboard(scores: Scores):
    shown = repr(scores)
    assert shown.splitlines()[0] == "<Scores of 4 summaries: words, rouge1>"
    assert "rouge1 ↑" in shown
    # rouge1 ranks (words only describes): one has (4/7 + 1)/2 = 0.786, two (2/3 + 2/5)/2 = 0.533.
    assert [line.split()[0] for line in shown.splitlines()[2:]] == ["one", "two"]
    assert "0.786" in shown
    assert "0.533" in shown


def test_html_escapes_what_a_system_calls_itself():
    corpus = Corpus(summaries=(Summary("d", "<script>alert('x')</script> & co", "text"),))
    html = score(corpus, ["words"])._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "&amp; co" in html


def test_scores_of_nothing_are_an_empty_table():
    scores = score(Corpus(), ["rouge1"])
    assert len(scores) == 0
    assert tuple(scores.to_pandas().columns) == LONG_COLUMNS
    assert scores.to_pandas().empty
    assert "0 summaries" in repr(scores)
    assert scores.leaderboard().entries == ()


def test_every_summary_of_the_sample_is_scored(sample: Corpus):
    scores = gistmark.score(sample)
    frame = scores.to_pandas()
    assert scores.summary_count == 56
    assert set(frame["system"]) == {"careful", "lead", "terse", "garbled"}
    assert not frame["value"].isna().any()
    assert np.isfinite(frame["value"]).all()
