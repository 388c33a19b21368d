"""Scores on disk: pandas, polars and json read what is written, and what others wrote is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd
import pytest

import gistmark
from gistmark.corpus import Corpus
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Summary
from gistmark.scoring import Scores, files, score
from gistmark.scoring.files import UNKNOWN_SIGNATURE, check_target, read_scores, signature_file
from on_use import on_use

pl = on_use("polars")

ODD = ["a,b", 'say "hi"', "two\nlines", "carriage\rreturn", "naïve — 東京 🙂", " spaces ", "", "'"]


@pytest.fixture
def odd() -> Scores:
    """Ids and systems with everything that a CSV file trips over, and a missing value."""
    summaries = [Summary(f"{name}{i}", name, "text") for i, name in enumerate(ODD)]
    gold = [
        Summary(s.document, "gold", "a text", reference=True) for s in summaries if s.system != "'"
    ]
    return score(Corpus(summaries=(*summaries, *gold)), ["rouge1", "words"])


def read(path: Path) -> pd.DataFrame:
    if path.suffix == ".csv":
        names = ("document", "system", "metric", "part")
        maybe_missing = [name for name in pd.read_csv(path, nrows=0).columns if name not in names]
        empty = {name: [""] for name in maybe_missing}
        return pd.read_csv(path, keep_default_na=False, na_values=empty)
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_json(path, lines=True, precise_float=True)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_long_table_comes_back_whole(odd: Scores, tmp_path: Path, suffix: str):
    path = tmp_path / f"scores{suffix}"
    odd.write(path)
    expected = odd.to_pandas()
    result = read(path)
    assert list(result.columns) == list(expected.columns)
    for column in ("document", "system", "metric", "part"):
        assert list(result[column]) == list(expected[column])
    assert result["value"].isna().sum() == 3
    assert list(result["value"].dropna()) == list(expected["value"].dropna())
    assert list(result["reason"].dropna()) == list(expected["reason"].dropna())


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_wide_table_comes_back_whole(odd: Scores, tmp_path: Path, suffix: str):
    path = tmp_path / f"scores{suffix}"
    odd.write(path, wide=True)
    result = read(path)
    assert list(result.columns) == [
        "document", "system", "rouge1.precision", "rouge1.recall", "rouge1.f", "words.value",
        "reason",
    ]  # fmt: skip
    assert list(result["system"]) == ODD
    assert list(result["words.value"]) == [1] * len(ODD)
    assert result["rouge1.f"].isna().sum() == 1


def test_polars_reads_the_csv_file_too(odd: Scores, tmp_path: Path):
    odd.write(tmp_path / "scores.csv")
    result = pl.read_csv(tmp_path / "scores.csv")
    assert result["document"].to_list() == list(odd.to_pandas()["document"])
    assert result["value"].to_list() == odd.to_polars()["value"].to_list()


def test_an_empty_name_is_not_a_missing_one(tmp_path: Path):
    score(Corpus(summaries=(Summary("d", "", "text"),)), ["words"]).write(tmp_path / "scores.csv")
    result = pl.read_csv(tmp_path / "scores.csv")
    assert result["system"].to_list() == [""]
    assert result["reason"].to_list() == [None]


def test_plain_names_are_written_without_quotes(small: Corpus, tmp_path: Path):
    score(small, ["words"]).write(tmp_path / "scores.csv")
    lines = (tmp_path / "scores.csv").read_text().splitlines()
    assert lines[:2] == ["document,system,metric,part,value,reason", "d1,one,words,value,3,"]


def test_a_comma_in_the_name_of_a_metric_is_quoted_in_the_header(small: Corpus, tmp_path: Path):
    score(small, ["rougeL:stem=yes,refs=mean"]).write(tmp_path / "scores.csv", wide=True)
    result = pd.read_csv(tmp_path / "scores.csv")
    assert "rougeL:stem=yes,refs=mean.f" in result.columns


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("wide", [False, True])
def test_pieces_join_without_a_seam(
    odd: Scores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, wide: bool
):
    odd.write(tmp_path / f"whole{suffix}", wide=wide)
    monkeypatch.setattr(files, "_ROWS", 3)
    odd.write(tmp_path / f"pieces{suffix}", wide=wide)
    whole, pieces = read(tmp_path / f"whole{suffix}"), read(tmp_path / f"pieces{suffix}")
    pd.testing.assert_frame_equal(whole, pieces)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_scores_of_nothing_are_a_file_with_columns_only(tmp_path: Path, suffix: str):
    path = tmp_path / f"scores{suffix}"
    score(Corpus(), ["words"]).write(path)
    if suffix == ".jsonl":
        assert path.read_text() == ""
    else:
        assert list(read(path).columns)[:2] == ["document", "system"]
        assert read(path).empty


def test_the_signatures_stand_beside_the_file(small: Corpus, tmp_path: Path):
    scores = score(small, ["rouge1", "rougeL:stem=yes"])
    scores.write(tmp_path / "scores.csv")
    beside = tmp_path / "scores.csv.signatures.json"
    assert signature_file(tmp_path / "scores.csv") == beside
    assert json.loads(beside.read_text()) == scores.signatures
    assert sorted(p.name for p in tmp_path.glob("*scores*")) == [
        "scores.csv",
        "scores.csv.signatures.json",
    ]


def test_a_write_that_fails_leaves_the_old_file_alone(
    small: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "scores.csv"
    path.write_text("precious")

    def fail(stream: IO[bytes], pieces: object) -> None:
        stream.write(b"half")
        raise OSError("disk full")

    monkeypatch.setitem(files._WRITERS, ".csv", fail)
    with pytest.raises(OSError, match="disk full"):
        score(small, ["words"]).write(path)
    assert path.read_text() == "precious"
    assert list(tmp_path.glob(".*")) == []


def test_targets_that_cannot_be_written_are_named(tmp_path: Path):
    (tmp_path / "folder.csv").mkdir()
    check_target(tmp_path / "fine.csv")
    with pytest.raises(UsageError, match=r"\.csv, \.jsonl, \.parquet, not '\.xlsx'"):
        check_target(tmp_path / "scores.xlsx")
    with pytest.raises(UsageError, match=r"the folder .*nowhere does not exist"):
        check_target(tmp_path / "nowhere" / "scores.csv")
    with pytest.raises(UsageError, match="is a folder, not a file"):
        check_target(tmp_path / "folder.csv")


@pytest.fixture(scope="module")
def scores() -> gistmark.Scores:
    corpus = gistmark.load(gistmark.sample_folder())
    return gistmark.score(corpus, ["rouge1", "js", "hrouge2"], cache=False)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("wide", [False, True])
def test_what_was_written_is_read_back(
    scores: gistmark.Scores, tmp_path: Path, kind: str, wide: bool
):
    path = tmp_path / f"scores.{kind}"
    scores.write(path, wide=wide)
    again = read_scores(path)
    assert list(again.documents) == list(scores.documents)
    assert list(again.systems) == list(scores.systems)
    assert again.signatures == scores.signatures
    for name, column in scores.columns.items():
        result = again.columns[name]
        assert (result.parts, result.main_part) == (column.parts, column.main_part)
        assert result.better == column.better
        np.testing.assert_allclose(result.values, column.values, rtol=1e-14)


def test_missing_values_and_their_reasons_come_back(tmp_path: Path):
    path = tmp_path / "scores.csv"
    path.write_text(
        "document,system,metric,part,value,reason\n"
        "01,NA,mine,value,0.5,\n"
        "01,b,mine,value,,nobody knows\n"
    )
    scores = read_scores(path)
    column = scores.columns["mine"]
    assert list(zip(scores.documents, scores.systems, strict=True)) == [("01", "NA"), ("01", "b")]
    assert column.values[0, 0] == 0.5
    assert np.isnan(column.values[1, 0])
    assert column.reasons == {1: "nobody knows"}
    assert (column.better, column.signature) == ("higher", UNKNOWN_SIGNATURE)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("scores.csv", "a,b\n1,2\n", "A scores file has the columns document, system"),
        ("scores.csv", "metric,part,value\nx,f,1\n", "The column 'document' is missing"),
        ("scores.csv", "document,system,metric,part,value\nd,s,m,f,much\n", "not a number"),
        ("scores.csv", "document,system,metric,part,value\nd,s,m,q,1\n", "'q' is not one of"),
        (
            "scores.csv",
            "document,system,metric,part,value\nd,s,m,f,1\nd,s,m,f,2\n",
            "m f of 'd' by 's' is there more than once",
        ),
        ("scores.xml", "<scores/>", "Scores are read from .csv, .jsonl, .parquet"),
        ("scores.jsonl", "{broken", "cannot be read"),
        ("scores.parquet", "no parquet", "cannot be read"),
        ("scores.csv", "", "cannot be read"),
    ],
)
def test_a_file_that_holds_no_scores_is_a_sentence(
    tmp_path: Path, name: str, content: str, sentence: str
):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(CorpusError, match="problem") as caught:
        read_scores(path)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path):
    with pytest.raises(CorpusError, match="no such file"):
        read_scores(tmp_path / "nosuch.csv")


def test_broken_signatures_are_a_sentence(scores: gistmark.Scores, tmp_path: Path):
    path = tmp_path / "scores.csv"
    scores.write(path)
    (tmp_path / "scores.csv.signatures.json").write_text("[1]")
    with pytest.raises(CorpusError, match="map metrics to signatures"):
        read_scores(path)


def test_an_empty_corpus_has_no_rows_to_read_back(tmp_path: Path):
    path = tmp_path / "scores.csv"
    gistmark.score(Corpus(), ["words"], cache=False).write(path)
    assert len(read_scores(path)) == 0
