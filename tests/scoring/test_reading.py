"""Scores read back from files: what was written, and what others wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gistmark
from gistmark.corpus import Corpus
from gistmark.errors import CorpusError
from gistmark.scoring.files import UNKNOWN_SIGNATURE, read_scores


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
