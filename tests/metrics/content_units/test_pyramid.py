"""`pyramid`: values by hand, options, what is missing, and where units are found."""

from __future__ import annotations

import pytest

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from, metric_from_signature
from gistmark.metrics.content_units import pyramid
from gistmark.metrics.content_units.pyramid import Explanation, Pyramid
from gistmark.models import parsers
from gistmark.models.vectors import pipelines
from gistmark.records import ContentUnit, Document

UNITS = (
    ContentUnit("d", "1", "The bridge closed.", 2.0),
    ContentUnit("d", "2", "A painter found a crack."),
)
DOCUMENT = "pyramid:presence=words,against=document"
SUMMARY = "It rained. The bridge closed. A painter saw a crack."


def value(item: Item, spec: str = "pyramid:presence=words") -> float | str:
    result = metric_from(spec).score(Batch.of([item]))
    return result.reasons.get(0) or float(result.values[0, 0])


def explained(item: Item, spec: str = "pyramid:presence=words") -> Explanation:
    metric = metric_from(spec)
    assert isinstance(metric, Pyramid)
    return next(metric.explain(Batch.of([item])))


def test_written_units_count_by_weight() -> None:
    # The first is there word for word; of {painter, found, crack} two: (2 * 1 + 1 * 2/3) / 3.
    assert value(Item(SUMMARY, units=UNITS)) == pytest.approx(8 / 9)


def test_written_units_go_before_those_of_references() -> None:
    item = Item("Boats.", ("Boats.",), units=UNITS)
    assert value(item) == 0.0
    assert value(item, "pyramid:presence=words,units=extracted") == 1.0


def test_facts_of_a_reference_are_units() -> None:
    # "a painter found a crack" 2/3 and "... in May" {painter, found, crack, mai} 2/4.
    item = Item(SUMMARY, ("A painter found a crack in May.",))
    assert value(item) == pytest.approx((2 / 3 + 2 / 4) / 2)


def test_facts_of_the_document_are_units_and_its_references_and_written_units_are_not() -> None:
    # The same two facts as above; of the reference's fact the summary has every word.
    item = Item(SUMMARY, ("It rained.",), "A painter found a crack in May.", units=UNITS)
    assert value(item, DOCUMENT) == pytest.approx((2 / 3 + 2 / 4) / 2)


def test_all_texts_of_a_document_are_one_and_a_fact_counts_once_for_each_wording() -> None:
    # {bridg, close} is there, {painter, found, crack} two thirds, and {painter, saw, crack} whole.
    texts = (
        "The bridge closed.",
        "A painter found a crack. The bridge closed.",
        "A painter saw a crack.",
    )
    document = Document("d", texts).text
    assert value(Item(SUMMARY, document=document), DOCUMENT) == pytest.approx((1 + 2 / 3 + 1) / 3)


def test_what_units_are_extracted_from_decides_what_is_needed_and_signed() -> None:
    references, document = metric_from("pyramid:presence=words"), metric_from(DOCUMENT)
    assert (references.needs, references.reads) == ({"references"}, {"references", "units"})
    assert document.needs == document.reads == {"documents"}
    assert "against" not in references.signature
    assert "|against:document|" in document.signature
    assert metric_from_signature(document.signature).options == document.options


def test_with_assignment_a_fact_states_one_unit() -> None:
    units = (ContentUnit("d", "1", "A crack shut it."), ContentUnit("d", "2", "A crack came."))
    item = Item("There was a crack.", units=units)
    each, assigned = (
        value(item, f"pyramid:presence=words,match={how}") for how in ("each", "assign")
    )
    # {crack, shut} and {crack, came} share one word each with the summary, but it has one fact.
    assert (each, assigned) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("item", "spec", "reason"),
    [
        (Item("A."), "pyramid:presence=words", pyramid.NOTHING),
        (Item("A.", ("B.",)), "pyramid:presence=words,units=written", pyramid.NOTHING_WRITTEN),
        (Item("A.", units=UNITS), "pyramid:presence=words,units=extracted", "no reference"),
        (Item("A.", ("", "...")), "pyramid:presence=words", pyramid.NO_FACTS["references"]),
        (Item("A.", ("B.",)), DOCUMENT, "the document has no text"),
        (Item("A.", document="..."), DOCUMENT, "the document has no words"),
    ],
)
def test_without_units_there_is_a_reason(item: Item, spec: str, reason: str) -> None:
    found = value(item, spec)
    assert isinstance(found, str)
    assert reason in found
    assert explained(item, spec) == Explanation(None, reason=found)


def test_an_empty_summary_states_nothing() -> None:
    assert value(Item("", units=UNITS)) == 0.0
    assert value(Item("", units=UNITS), "pyramid:presence=words,match=assign") == 0.0


def test_ten_thousand_words_are_searched() -> None:
    text = "It rained on the town. " * 2_000 + "The bridge closed."
    assert value(Item(text, units=UNITS[:1])) == 1.0


def test_an_explanation_says_where_each_unit_is() -> None:
    explanation = explained(Item(SUMMARY, units=UNITS))
    assert explanation.value == pytest.approx(8 / 9)
    closed, crack = explanation.units
    assert (closed.text, closed.weight, closed.probability) == ("The bridge closed.", 2.0, 1.0)
    assert [SUMMARY[slice(*unit.span)] for unit in (closed, crack) if unit.span] == [
        "The bridge closed.",
        "A painter saw a crack.",
    ]
    absent = explained(Item("It rained.", units=UNITS)).units
    assert [(unit.is_present, unit.span) for unit in absent] == [(False, None)] * 2


def test_the_signature_names_what_is_used_and_gives_the_same_metric() -> None:
    plain = metric_from("pyramid")
    assert "presence:combined" in plain.signature
    for field in ("model:all-MiniLM-L6-v2@", "parser:en_core_web_sm@"):
        assert field in plain.signature
    written = metric_from("pyramid:presence=words,units=written").signature
    assert "parser" not in written
    assert "model" not in written
    for spec in ("pyramid", "pyramid:presence=embeddings", "pyramid:model=some/nli,nli=l3c"):
        metric = metric_from(spec)
        assert metric_from_signature(metric.signature).options == metric.options


def test_a_given_model_is_one_of_inference() -> None:
    assert metric_from("pyramid:model=roberta-large-mnli").options.presence == "nli"
    assert metric_from("pyramid:presence=lm,model=gpt2").options.presence == "lm"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pyramid:presence=nli", "pyramid: presence=nli needs a model of inference"),
        ("pyramid:presence=words,model=gpt2", "presence=words takes no model"),
        ("pyramid:against=document,units=written", "extracts units; leave out units=written"),
        ("pyramid:units=none", "is not one of auto, written, extracted"),
    ],
)
def test_options_that_do_not_fit_are_refused(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metric_from(spec)


def test_a_pipeline_that_is_not_here_is_an_error_with_the_command() -> None:
    with pytest.raises(GistmarkError, match="python -m spacy download xx_core_web_sm"):
        value(Item("A.", ("B.",)), "pyramid:presence=words,parser=xx_core_web_sm")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise MissingExtraError(name, extra="neural")

    monkeypatch.setattr(pipelines, "library", missing)
    parsers._load_parser.cache_clear()
    with pytest.raises(MissingExtraError, match=r"gistmark\[neural\]"):
        value(Item("A.", ("B.",)))
    assert value(Item("A bridge.", units=UNITS), "pyramid:presence=words,units=written") == 1 / 3
