"""Properties: what is written is read back, to the last character, by every format.

Texts are drawn from all of Unicode but surrogates, so they hold line breaks, quotes, commas,
spaces at both ends, control characters and NUL unless a format's own test says otherwise.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from corpus.drawing import (
    ABOUT,
    ANY_TEXT,
    ID_LISTS,
    NAMES,
    NUMBERS,
    SYSTEMS,
    comparisons,
    corpora,
    documents,
    ratings,
    some,
    summaries,
)
from gistmark.corpus import Corpus, load, save
from gistmark.corpus.folder import TABLE_FORMATS, TableFormat
from gistmark.corpus.formats import FORMATS, Writer
from gistmark.corpus.formats.datasets.emfos import CAMPAIGNS, DIMENSIONS
from gistmark.errors import UsageError
from gistmark.records import (
    Document,
    Highlight,
    Planted,
    Question,
    Rating,
    Summary,
)


def for_all(corpus: SearchStrategy[Corpus]) -> Callable[[Any], Any]:
    """Run a test on corpora, each of which takes as long to draw as many a text."""
    patient = settings(
        max_examples=settings.default.max_examples // 2,
        suppress_health_check=[HealthCheck.too_slow],
    )
    return lambda test: patient(given(corpus=corpus)(test))


def content(corpus: Corpus) -> dict[str, list[object]]:
    """What a corpus holds, whatever its order."""
    kinds = (
        "documents",
        "summaries",
        "ratings",
        "comparisons",
        "highlights",
        "questions",
        "planted",
        "units",
        "presence",
        "spans",
        "responses",
    )
    return {kind: sorted(getattr(corpus, kind), key=repr) for kind in kinds}


PLAIN_OUTCOMES = st.sampled_from([("left", None), ("right", None)])


def there_and_back(name: str, corpus: Corpus, target: str) -> Corpus:
    """Write and read a corpus that a format claims to hold whole."""
    writer = FORMATS.get(name)
    assert isinstance(writer, Writer)
    with tempfile.TemporaryDirectory() as folder:
        assert writer.write(corpus, Path(folder) / target) == ()
        return writer.read(Path(folder) / target)


@pytest.mark.parametrize("tables", TABLE_FORMATS)
@for_all(corpora())
def test_a_saved_corpus_is_loaded_equal(tables: TableFormat, corpus: Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        save(corpus, folder, tables=tables)
        assert load(folder) == corpus


@st.composite
def named_corpora(draw: DrawFn) -> Corpus:
    """Documents with everything about them, summaries and references by any name."""
    ids = draw(ID_LISTS)
    titles = st.none() | ANY_TEXT
    known = documents(ids, several=True, titles=titles, langs=titles)
    return Corpus(documents=draw(known), summaries=draw(summaries(ids, anonymous=st.booleans())))


@for_all(named_corpora())
def test_a_single_file_holds_documents_and_summaries_by_any_name(corpus: Corpus) -> None:
    assert content(there_and_back("jsonl", corpus, "c.jsonl")) == content(corpus)


@st.composite
def table_corpora(draw: DrawFn, *, empty: bool, several: bool) -> Corpus:
    ids = draw(ID_LISTS)
    text = ANY_TEXT if empty else ANY_TEXT.filter(bool)
    known = documents(ids, text=text, several=several, titles=st.none() | text)
    written = draw(summaries(ids, names=SYSTEMS, numbered=True))
    if not empty:
        written = tuple(s for s in written if s.text or not s.reference)
    return Corpus(documents=draw(known), summaries=written)


@pytest.mark.parametrize("target", ["c.csv", "c.tsv"])
@for_all(table_corpora(empty=False, several=False))
def test_a_csv_table_holds_documents_summaries_and_numbered_references(
    target: str, corpus: Corpus
) -> None:
    assert content(there_and_back("csv", corpus, target)) == content(corpus)


@for_all(table_corpora(empty=True, several=True))
def test_a_parquet_table_holds_empty_and_several_texts_too(corpus: Corpus) -> None:
    assert content(there_and_back("parquet", corpus, "c.parquet")) == content(corpus)


@st.composite
def line_corpora(draw: DrawFn) -> Corpus:
    ids = [str(number) for number in range(1, draw(st.integers(1, 4)) + 1)]
    line = ANY_TEXT.map(lambda text: text.replace("\n", "").replace("\x00", "").rstrip("\r"))
    known = draw(documents(ids, text=line)) if draw(st.booleans()) else ()
    written = draw(summaries(ids, text=line, names=SYSTEMS, numbered=True, complete=True))
    return Corpus(documents=known, summaries=written)


@for_all(line_corpora())
def test_line_pairs_hold_texts_without_line_breaks(corpus: Corpus) -> None:
    assert content(there_and_back("pairs", corpus, "lines")) == content(corpus)


WORDS = ANY_TEXT.map(lambda text: "".join(text.split()).replace("\x00", "")).filter(bool)
FILE_TEXTS = ANY_TEXT.map(lambda text: text.replace("\x00", ""))


@st.composite
def highres_corpora(draw: DrawFn) -> Corpus:
    ids = draw(ID_LISTS)
    sentences = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
    text = st.lists(sentences, max_size=3).map("\n\n".join)
    known = draw(documents(ids, text=text))
    marks = []
    for document in known:
        words = document.text.split()
        for _ in range(draw(st.integers(0, 2)) if words else 0):
            first = draw(st.integers(0, len(words) - 1))
            last = draw(st.integers(first, len(words) - 1))
            start, end = _word_span(document.text, first, last)
            marks.append(Highlight(document.id, draw(NAMES), start, end, 30))
    asked = draw(st.lists(st.tuples(st.sampled_from(ids), ABOUT), unique=True))
    planted = draw(st.lists(st.sampled_from(ids), unique=True))
    return Corpus(
        documents=known,
        summaries=draw(summaries(ids, text=FILE_TEXTS)),
        highlights=tuple(marks),
        questions=tuple(Question(id, draw(ANY_TEXT), draw(st.booleans()), a) for id, a in asked),
        planted=tuple(
            Planted(draw(ANY_TEXT), draw(ANY_TEXT), draw(ANY_TEXT), id) for id in planted
        ),
    )


def _word_span(text: str, first: int, last: int) -> tuple[int, int]:
    """Where words stand in a text, found by walking along it."""
    position, spans = 0, []
    for word in text.split():
        start = text.index(word, position)
        position = start + len(word)
        spans.append((start, position))
    return spans[first][0], spans[last][1]


@for_all(highres_corpora())
def test_highres_holds_documents_summaries_highlights_and_checks(corpus: Corpus) -> None:
    assert content(there_and_back("highres", corpus, "h")) == content(corpus)


@st.composite
def dip_corpora(draw: DrawFn) -> Corpus:
    names = NAMES | st.sampled_from(["MMR*", "MMR_star", "*", "_star", "a*b", "MMR"])
    ids = draw(ID_LISTS)
    written = tuple(
        s for s in draw(summaries(ids, text=FILE_TEXTS, names=names)) if not s.reference
    )
    if not written:
        written = (Summary(ids[0], draw(names), ""),)
    rated = ratings(written, details=st.none(), campaigns=st.none())
    keys = {"method", "annotator", "topic"}
    return Corpus(
        summaries=written,
        ratings=tuple(rating for rating in draw(rated) if rating.dimension not in keys),
        comparisons=draw(comparisons(written, PLAIN_OUTCOMES)),
    )


@for_all(dip_corpora())
def test_dip_sumeval_holds_summaries_ratings_and_comparisons(corpus: Corpus) -> None:
    assert content(there_and_back("dip-sumeval", corpus, "d")) == content(corpus)


@st.composite
def emfos_corpora(draw: DrawFn) -> Corpus:
    written, given_ratings = [], []
    for id in draw(ID_LISTS):
        title = draw(st.none() | ANY_TEXT.filter(bool))
        written.append(Summary(id, "candidate", draw(ANY_TEXT), title))
        written.append(Summary(id, "reference", draw(ANY_TEXT), title, reference=True))
        for campaign in draw(some(list(CAMPAIGNS))):
            annotator = draw(NAMES)
            given_ratings += [
                Rating(id, "candidate", annotator, dimension, draw(NUMBERS), campaign=campaign)
                for dimension in draw(some(list(DIMENSIONS.values())))
            ]
    return Corpus(summaries=tuple(written), ratings=tuple(given_ratings))


@for_all(emfos_corpora())
def test_emfos_holds_one_system_and_two_reviewers(corpus: Corpus) -> None:
    assert content(there_and_back("emfos", corpus, "DATA.csv")) == content(corpus)


@st.composite
def summeval_corpora(draw: DrawFn) -> Corpus:
    ids = draw(ID_LISTS)
    known = draw(documents(ids)) if draw(st.booleans()) else ()
    written = draw(summaries(ids, names=SYSTEMS, numbered=True, complete=True))
    judged = tuple(summary for summary in written if not summary.reference)
    annotators = st.sampled_from(["expert1", "expert3", "turker2", "turker11"])
    rated = ratings(judged, annotators=annotators, details=st.none(), campaigns=st.none())
    return Corpus(documents=known, summaries=written, ratings=draw(rated))


@for_all(summeval_corpora())
def test_summeval_holds_texts_references_and_annotations(corpus: Corpus) -> None:
    assert content(there_and_back("summeval", corpus, "s.jsonl")) == content(corpus)


@st.composite
def sacrerouge_corpora(draw: DrawFn) -> Corpus:
    ids = draw(ID_LISTS)
    written = draw(summaries(ids))
    summarised = [id for id in ids if any(summary.document == id for summary in written)]
    return Corpus(documents=draw(documents(summarised, several=True)), summaries=written)


@for_all(sacrerouge_corpora())
def test_sacrerouge_holds_texts_and_references_by_name(corpus: Corpus) -> None:
    assert content(there_and_back("sacrerouge", corpus, "s.jsonl")) == content(corpus)


@st.composite
def summvis_corpora(draw: DrawFn) -> Corpus:
    ids = draw(ID_LISTS)
    written = draw(summaries(ids, names=SYSTEMS, numbered=True))
    return Corpus(documents=draw(documents(ids)), summaries=written)


@for_all(summvis_corpora())
def test_summvis_holds_documents_and_numbered_references(corpus: Corpus) -> None:
    assert content(there_and_back("summvis", corpus, "s.jsonl")) == content(corpus)


@st.composite
def blanc_corpora(draw: DrawFn) -> Corpus:
    """Summaries numbered as the format does it, several of one text not always in a row."""
    texts = draw(st.lists(ANY_TEXT, min_size=1, max_size=3, unique=True))
    order = draw(st.lists(st.sampled_from(texts), min_size=1, max_size=5))
    ids: dict[str, str] = {}
    counts: dict[str, int] = {}
    written = []
    for number, text in enumerate(order, start=1):
        id = ids.setdefault(text, str(number))
        counts[id] = counts.get(id, 0) + 1
        written.append(Summary(id, f"s{counts[id]}", draw(ANY_TEXT), anonymous=True))
    known = tuple(Document(id, (text,)) for text, id in ids.items())
    annotators = NAMES | st.sampled_from(["7", "07", "12"])
    rated = ratings(tuple(written), annotators=annotators, details=st.none(), campaigns=st.none())
    return Corpus(documents=known, summaries=tuple(written), ratings=draw(rated))


@for_all(blanc_corpora())
def test_blanc_holds_texts_summaries_and_scores(corpus: Corpus) -> None:
    assert content(there_and_back("blanc", corpus, "b.json")) == content(corpus)


@pytest.mark.parametrize(
    "name", [name for name in FORMATS if isinstance(FORMATS.get(name), Writer)]
)
@for_all(corpora())
def test_every_format_writes_any_corpus_or_says_why_not(name: str, corpus: Corpus) -> None:
    """Nothing crashes, and what was lost was said: without a sentence, nothing is missing."""
    writer = FORMATS.get(name)
    assert isinstance(writer, Writer)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "target"
        try:
            losses = writer.write(corpus, target)
        except UsageError:
            return
        if not losses:
            assert content(writer.read(target)) == content(corpus)
