"""What holds for all of H1 to H5, trained or not: limits, offsets, trees, odd documents."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gistmark.records import Document
from gistmark.summarizers import Limit, Outcome, Source, Summarizer, system_from

NAMES = ("H1", "H2", "H3", "H4", "H5")
LIMITS = (
    Limit(),
    Limit(chars=120),
    Limit(chars=None),
    Limit(chars=None, words=12),
    Limit(chars=None, sentences=1),
)
ODD = {
    "one sentence": "Only one sentence is here.",
    "two sentences": "The first sentence. The second one follows.",
    "no words": "... !!! ???",
    "emoji": "😀 😀. 🎉 🎉.",
    "unknown words": "Xqzzt brrgl vvkq. Qwrtz plokijq. Zzkx vbnmq qqv. Brrgl zzkx.",
    "stop words": "It is. He was. They are. We have.",
    "the same again": "A cat sat. A cat sat! A cat sat? The end.",
    "one long word": "x" * 20_000,
    "no sentence enders": "word " * 400,
    "Chinese": "猫坐在垫子上。狗跑得很快。今天天气很好。我们去公园散步。明天会下雨。",
    "Arabic": "جلس القط على السجادة. ركض الكلب بسرعة. الطقس جميل اليوم.",
    "Russian": "Кошка сидела на коврике. Собака бежала. Погода хорошая. Мы пошли в парк.",
}


@pytest.fixture(
    params=[(name, kind) for kind in ("untrained", "trained") for name in NAMES], ids=str
)
def system(
    request: pytest.FixtureRequest, trained_system: Callable[[str], Summarizer]
) -> Summarizer:
    name, kind = request.param
    return trained_system(name) if kind == "trained" else system_from(name)


def check(outcome: Outcome, document: Document, limit: Limit) -> None:
    """Within the limit, only sentences of the document, none twice, and a tree that has them."""
    taken = outcome.sentences
    assert limit.holds([sentence.text for sentence in taken])
    assert outcome.text == " ".join(sentence.text for sentence in taken)
    assert len(set(taken)) == len(taken) > 0
    assert outcome.tree is not None
    nuggets = [nugget for node in outcome.tree.depth_first() for nugget in node.nuggets]
    assert len(set(nuggets)) == len(nuggets)
    for part in (*taken, *nuggets):
        assert document.text[part.start : part.end] == part.text
    for sentence in taken:
        assert any(sentence.start <= each.start < each.end <= sentence.end for each in nuggets)
    for node in outcome.tree.depth_first():
        assert 0 <= node.relevance <= 1 + 1e-9
        assert node.nuggets or node.children


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_summaries_keep_the_contract(system: Summarizer, limit: Limit, story: Source):
    outcome = system.summarize(story, limit)
    check(outcome, story.document, limit)
    assert system.summarize(story, limit) == outcome


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_documents_have_summaries(system: Summarizer, text: str):
    document = Document("d", (text,))
    check(system.summarize(Source(document), Limit()), document, Limit())


def test_several_texts_are_one_document(system: Summarizer):
    document = Document("d", ("The bridge is shut. It broke.", "", "Trains stop. A bridge broke."))
    check(system.summarize(Source(document), Limit(40)), document, Limit(40))


def test_what_people_gave_is_not_looked_at(system: Summarizer, story: Source):
    with_reference = Source(story.document, ("Nobody was hurt.",))
    limit = Limit(chars=None, sentences=2)
    assert system.summarize(with_reference, limit) == system.summarize(story, limit)


def test_an_empty_document_has_an_empty_summary(system: Summarizer):
    outcome = system.summarize(Source(Document("d", (" ",))), Limit())
    assert (outcome.text, outcome.note) == ("", "the document has no sentences")


def test_trees_have_labels_that_name_the_subject(system: Summarizer, story: Source):
    tree = system.summarize(story, Limit(200)).tree
    assert tree is not None
    assert {"bridge", "river"} & set(tree.label.split(", "))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_of_many_sentences_the_most_relevant_are_clustered(name: str, story: Source):
    words = [word.strip(".,") for word in story.document.text.split()]
    texts = [
        " ".join(words[(start * step) % len(words)] for step in range(1, 12)).capitalize()
        + f" {start}."
        for start in range(1, 2001)
    ]
    document = Document("d", ("\n\n".join(texts),))
    outcome = system_from(name).summarize(Source(document), Limit())
    check(outcome, document, Limit())
    assert outcome.tree is not None
    sentences = {
        (nugget.source, nugget.position)
        for node in outcome.tree.depth_first()
        for nugget in node.nuggets
    }
    assert len(sentences) <= 301
