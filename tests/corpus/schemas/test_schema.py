"""Records that are written as they come make the same files as a corpus that is saved whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus, save
from gistmark.corpus.schemas import schema as schemas
from gistmark.corpus.schemas.records import RATINGS, RESPONSES, SPANS, UNITS
from gistmark.corpus.schemas.schema import write_records
from gistmark.errors import CorpusError
from gistmark.records import ContentUnit, Document, ErrorSpan, Rating, Response, Summary

CORPUS = Corpus((Document("d", ("A text.",)),), (Summary("d", "s", "Short."),))
RECORDS = {
    "ratings": (
        Rating("d", "s", "ann", "fluency", 4),
        Rating("d", "s", "bob, the\nsecond", "fluency", 3.5, confidence=2.0, seconds=0.1),
        Rating("d", "s", "=cat", "fluency", 1),
    ),
    "responses": (
        Response("d", "d/s", "s", "ann", "why", "text", 'She said "no".'),
        Response("d", "d/s", None, "bob", "why", "text", "ä\u2028", campaign="one"),
    ),
    "spans": (ErrorSpan("d", "s", "ann", 0, 3, "number"), ErrorSpan("d", "s", "bob", comment="")),
    "units": (ContentUnit("d", "u1", "It is short.", annotator="ann"),),
}
SCHEMAS = {schema.name: schema for schema in (RATINGS, RESPONSES, SPANS, UNITS)}


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_the_file_is_that_of_the_corpus(name, form, chunk, tmp_path, monkeypatch):
    schema = SCHEMAS[name]
    if not schema.tabular and form != "jsonl":
        pytest.skip("such records are written as JSON lines only")
    monkeypatch.setattr(schemas, "CHUNK", chunk)
    monkeypatch.setattr("gistmark.corpus.files.tables._ROWS_AT_ONCE", chunk)
    save(replace(CORPUS, **{name: RECORDS[name]}), tmp_path / "whole", tables=form)
    file = f"{schema.stem}.{form}"
    assert write_records(schema, iter(RECORDS[name]), tmp_path / file, form=form) == len(
        RECORDS[name]
    )
    whole = tmp_path / "whole" / file
    if form != "parquet":
        assert (tmp_path / file).read_bytes() == whole.read_bytes()
        return
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(tmp_path / file) == pyarrow.parquet.read_table(whole)


def test_without_a_record_there_is_no_file(tmp_path):
    assert write_records(RATINGS, [], tmp_path / "ratings.csv", form="csv") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_could_not_be_read_back_is_refused(tmp_path):
    wrong = Rating("d", "s", "", "fluency", 4)
    with pytest.raises(CorpusError, match="annotator"):
        write_records(RATINGS, [wrong], tmp_path / "ratings.csv", form="csv")
    assert list(tmp_path.iterdir()) == []
