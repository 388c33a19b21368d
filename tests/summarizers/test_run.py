"""A run: all documents, training without peeking, failures, summaries added to a corpus."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmark
from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, UsageError
from gistmark.records import Document, ErrorSpan, Highlight, Summary
from gistmark.summarizers import Limit, Outcome, Source, Summarizer, summarize
from gistmark.summarizers.extractive.graph_ranking import textrank_scores
from gistmark.summarizers.run import folds
from gistmark.text import profile_for

DOCUMENTS = tuple(Document(f"d{number}", (f"Text {number}. More.",)) for number in range(12))
GOLD = tuple(Summary(d.id, "gold", f"Gold {d.id}.", reference=True) for d in DOCUMENTS)
CORPUS = Corpus(DOCUMENTS, GOLD, highlights=(Highlight("d3", "ann", 0, 4),))


class Learner(Summarizer):
    """Remembers the documents that it was trained on, and writes them down."""

    name = "learner"
    about = "For the tests."
    learns = True

    def __init__(self, options: object = None, examples: Sequence[str] = ()) -> None:
        super().__init__(options)
        self.examples = tuple(examples)

    def trained(self, examples: Sequence[Source]) -> Learner:
        if not examples:
            raise GistmarkError("Nothing to learn from.")
        return Learner(None, [example.document.id for example in examples])

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        return Outcome(" ".join(self.examples) or "untrained")

    @property
    def signature(self) -> str:
        return f"learner|v:1|examples:{'-'.join(self.examples) or 'none'}"


class Picky(Summarizer):
    """Needs a reference, and makes a note where the document has highlights."""

    name = "picky"
    about = "For the tests."

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        if not source.references:
            raise GistmarkError("There is no reference.")
        return Outcome(source.references[0], note="highlighted" if source.highlights else None)


# The records


def test_every_system_summarises_every_document_in_order():
    result = summarize(CORPUS, ["LeadFirst", "Random"], Limit(None, sentences=1))
    assert [(record.system, record.document) for record in result] == [
        (system, document.id) for system in ("LeadFirst", "Random") for document in DOCUMENTS
    ]
    assert result.records[3].outcome.text == "Text 3."
    assert result.systems == ("LeadFirst", "Random")
    assert result.failures == ()
    assert list(result.signatures) == ["LeadFirst", "Random"]
    assert repr(result) == "<Summaries: 24 by LeadFirst, Random>"


def test_by_default_quick_systems_write_600_characters():
    result = gistmark.summarize(gistmark.load(gistmark.sample_folder()), "LeadFirst")
    assert max(len(record.outcome.text) for record in result) <= 600
    assert result.systems == ("LeadFirst",)


def test_a_system_gets_references_and_highlights():
    result = summarize(CORPUS, {"picky": Picky()})
    assert [record.outcome.text for record in result] == [gold.text for gold in GOLD]
    assert result.notes == {"picky": {"highlighted": 1}}
    assert [record.document for record in result if record.outcome.note] == ["d3"]


def test_a_document_that_fails_does_not_stop_the_others():
    some = Corpus(DOCUMENTS[:3], GOLD[1:2])
    result = summarize(some, {"picky": Picky(), "LeadFirst": gistmark_system("LeadFirst")})
    assert [(each.system, each.document, each.reason) for each in result.failures] == [
        ("picky", "d0", "There is no reference."), ("picky", "d2", "There is no reference."),
    ]  # fmt: skip
    assert len(result) == 1 + 3


def gistmark_system(name: str) -> Summarizer:
    return gistmark.summarizers.system_from(name)


def test_a_system_that_writes_nothing_has_no_signature():
    result = summarize(Corpus(DOCUMENTS), {"picky": Picky()})
    assert (len(result), len(result.failures), result.signatures) == (0, 12, {})
    assert repr(result) == "<Summaries: 0 by nobody; 12 could not be written>"


def test_progress_is_reported_after_each_summary():
    calls: list[tuple[int, int | None]] = []
    summarize(CORPUS, ["LeadFirst"], progress=lambda done, total: calls.append((done, total)))
    assert calls == [(done, 12) for done in range(1, 13)]


def test_the_tables_have_a_row_for_each_summary():
    result = summarize(CORPUS, {"picky": Picky()})
    frame = result.to_pandas()
    assert list(frame.columns) == ["document", "system", "text", "note"]
    assert frame["note"].dropna().tolist() == ["highlighted"]
    assert result.to_polars().shape == (12, 4)


def test_a_corpus_without_documents_is_an_error():
    with pytest.raises(GistmarkError, match="no documents to summarise"):
        summarize(Corpus(summaries=GOLD), ["LeadFirst"])


def test_asking_for_no_system_is_an_error():
    with pytest.raises(UsageError, match="No system was given"):
        summarize(CORPUS, [])


# Training


def examples_of(records) -> dict[str, set[str]]:
    return {record.document: set(record.outcome.text.split()) for record in records}


def test_no_document_is_summarised_by_a_system_that_saw_it():
    result = summarize(CORPUS, {"learner": Learner()}, train=True)
    everything = {document.id for document in DOCUMENTS}
    for document, examples in examples_of(result).items():
        assert document not in examples
        assert examples < everything
        assert len(examples) in (9, 10)  # twelve documents in five parts of two or three
    assert [record.document for record in result] == [document.id for document in DOCUMENTS]


def test_documents_without_labels_are_summarised_but_teach_nothing():
    result = summarize(Corpus(DOCUMENTS, GOLD[:6]), {"learner": Learner()}, train=True)
    trained = {f"d{number}" for number in range(6)}
    assert all(examples <= trained for examples in examples_of(result).values())
    assert len(result) == 12


def test_a_part_that_nobody_can_teach_fails_with_the_reason():
    result = summarize(Corpus(DOCUMENTS, GOLD[:1]), {"learner": Learner()}, train=True)
    failed = {failure.document for failure in result.failures}
    assert "d0" in failed
    assert {failure.reason for failure in result.failures} == {"Nothing to learn from."}
    assert len(result) + len(failed) == 12


def test_another_corpus_teaches_as_a_whole():
    other = Corpus((Document("x", ("X.",)), Document("y", ("Y.",))), (
        Summary("x", "gold", "X", reference=True),))  # fmt: skip
    result = summarize(CORPUS, {"learner": Learner()}, train_on=other)
    assert {record.outcome.text for record in result} == {"x"}
    assert result.signatures == {"learner": "learner|v:1|examples:x|max-chars:600"}


def test_systems_that_do_not_learn_stay_as_they_are():
    lead = gistmark_system("LeadFirst")
    result = summarize(CORPUS, {"learner": Learner(), "LeadFirst": lead}, train=True)
    assert result.signatures["LeadFirst"] == f"{lead.signature}|max-chars:600"


def test_the_signature_of_a_trained_system_has_what_each_part_learnt():
    result = summarize(CORPUS, {"learner": Learner()}, train=True)
    head, version, examples, limit = result.signatures["learner"].split("|")
    assert (head, version, limit) == ("learner", "v:1", "max-chars:600")
    assert examples.count("+") == 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"train": True, "train_on": CORPUS}, "not on both"),
        ({"train": True, "systems": ["LeadFirst"]}, "None of LeadFirst learns"),
    ],
)
def test_training_that_makes_no_sense_is_refused(settings: dict[str, object], message: str):
    with pytest.raises(UsageError, match=message):
        summarize(**{"corpus": CORPUS, "systems": {"learner": Learner()}, **settings})  # type: ignore[arg-type]


def test_training_without_any_labels_is_an_error():
    with pytest.raises(GistmarkError, match="no highlights or references to learn from"):
        summarize(Corpus(DOCUMENTS), {"learner": Learner()}, train=True)


@given(st.lists(st.text(min_size=1), unique=True, max_size=40), st.integers(1, 7))
def test_folds_share_the_documents_evenly(ids: list[str], count: int):
    sources = [Source(Document(id, ("Text.",))) for id in ids]
    parts = folds(sources, count)
    result = [source.document.id for part in parts for source in part]
    assert sorted(result) == sorted(ids)
    sizes = [len(part) for part in parts]
    assert not sizes or max(sizes) - min(sizes) <= 1
    again = folds(list(reversed(sources)), count)
    assert [[s.document.id for s in part] for part in again] == [
        [s.document.id for s in part] for part in parts
    ]


# Adding to a corpus


def test_summaries_are_added_behind_those_that_are_there():
    corpus = summarize(CORPUS, ["LeadFirst"]).added_to(CORPUS)
    assert corpus.summaries[:12] == GOLD
    assert corpus.systems == ("LeadFirst",)
    assert corpus.highlights == CORPUS.highlights


def test_a_system_that_is_there_already_is_refused_or_replaced_as_a_whole():
    old = (Summary("d0", "LeadFirst", "old"), Summary("d1", "other", "stays"))
    corpus = Corpus(DOCUMENTS[:1], (*GOLD[:1], *old))
    result = summarize(corpus, ["LeadFirst"])
    with pytest.raises(UsageError, match="summaries of LeadFirst already; replace"):
        result.added_to(corpus)
    texts = [summary.text for summary in result.added_to(corpus, replace=True).summaries]
    assert texts == ["Gold d0.", "stays", "Text 0. More."]


def test_references_are_never_replaced():
    corpus = Corpus(DOCUMENTS[:1], (Summary("d0", "LeadFirst", "gold", reference=True),))
    with pytest.raises(UsageError, match="'LeadFirst' is the name of references"):
        summarize(corpus, ["LeadFirst"]).added_to(corpus, replace=True)


def test_summaries_with_marked_errors_are_not_replaced():
    old, judged = Summary("d0", "LeadFirst", "old"), ErrorSpan("d0", "LeadFirst", "ann")
    corpus = Corpus(DOCUMENTS[:1], (old,), spans=(judged,))
    assert summarize(corpus, ["LeadFirst"]).added_to(corpus, replace=True).systems == ("LeadFirst",)
    marked = replace(corpus, spans=(replace(judged, start=0, end=3, category="x"),))
    with pytest.raises(UsageError, match="People marked errors in the summaries of 'LeadFirst'"):
        summarize(marked, ["LeadFirst"]).added_to(marked, replace=True)


HINDI = "यह एक वाक्य है। दूसरा वाक्य यहाँ है। तीसरा वाक्य छोटा है।"


def corpus_of(*documents: tuple[str, str | None]) -> Corpus:
    return Corpus(
        documents=tuple(
            Document(str(position), (text,), lang=lang)
            for position, (text, lang) in enumerate(documents)
        )
    )


def test_sentences_are_those_of_the_language():
    (record,) = summarize(
        corpus_of((HINDI, None)), ["LeadFirst"], Limit(None, sentences=1), lang="hi"
    )
    assert record.outcome.text == "यह एक वाक्य है।"


@pytest.mark.parametrize(
    ("languages", "field"),
    [((None, "en"), ""), (("de", "de"), "|lang:de"), (("hi", None), "|lang:en+hi")],
)
def test_the_signature_tells_languages_other_than_english(
    languages: tuple[str | None, ...], field: str
):
    corpus = corpus_of(*((HINDI, lang) for lang in languages))
    result = summarize(corpus, ["LeadFirst"], Limit())
    assert result.signatures["LeadFirst"].endswith(f"|max-chars:600{field}")


def test_textrank_compares_stems_of_the_language():
    texts = ["Häuser brennen", "Haus", "Wald"]
    english = textrank_scores(texts)
    assert english == pytest.approx([1 / 3] * 3), "no word is shared as it is"
    german = textrank_scores(texts, profile=profile_for("de", stop=True, stem=True))
    assert german[0] == pytest.approx(german[1])
    assert german[0] > german[2]


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError, match="'Deutsch' is not the code of a language"):
        summarize(corpus_of((HINDI, None)), ["LeadFirst"], lang="Deutsch")


def test_systems_without_a_model_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summarize(corpus_of((HINDI, "hi")), ["LeadFirst", "TextRank", "Submodular"])
