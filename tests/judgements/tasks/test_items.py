"""What there is to judge in a corpus, and what cannot be judged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.corpus import Corpus
from gistmark.judgements import Item, configured, get_protocol, items_from
from gistmark.records import Document, Summary


def ids(corpus: Corpus, name: str, **changes: object) -> list[str]:
    result = items_from(corpus, configured(get_protocol(name), changes))
    return [item.id for item in result.items]


def problems(corpus: Corpus, name: str, **changes: object) -> list[str]:
    return [str(p) for p in items_from(corpus, configured(get_protocol(name), changes)).problems]


def test_documents_are_highlighted(small: Corpus):
    assert ids(small, "highlight") == ["bridge", "cave"]


def test_summaries_are_rated_without_references(small: Corpus):
    assert ids(small, "overall") == ["bridge/lead", "bridge/terse", "bridge/garbled", "cave/lead"]


@pytest.mark.parametrize("name", ["fluency", "clarity", "content-document", "content-highlight"])
def test_references_are_rated_too_where_the_protocol_says_so(small: Corpus, name: str):
    assert "bridge/gold" in ids(small, name)
    assert "bridge/gold" not in ids(small, name, judge_references=False)


def test_every_pair_of_systems_is_compared_once_in_the_order_of_their_names(small: Corpus):
    assert ids(small, "pairwise") == ["bridge/garbled/lead", "bridge/garbled/terse",
                                      "bridge/lead/terse"]  # fmt: skip
    assert problems(small, "pairwise") == [
        "Document 'cave' has nothing to compare: only one summary of it is judged."
    ]


def test_a_pair_is_the_same_item_whatever_the_order_of_the_file(small: Corpus):
    turned = replace(small, summaries=small.summaries[::-1])
    assert sorted(ids(turned, "pairwise")) == sorted(ids(small, "pairwise"))


def test_an_item_that_lacks_what_is_shown_is_left_out_and_told(small: Corpus):
    assert ids(small, "quality") == ["bridge/lead", "bridge/terse", "bridge/garbled"]
    assert problems(small, "quality") == [
        "The summary of document 'cave' by 'lead' cannot be judged: "
        "it lacks a reference to show beside it and a title."
    ]


def test_a_heat_map_needs_highlights(small: Corpus):
    assert all(id.startswith("bridge/") for id in ids(small, "content-highlight"))
    assert "it lacks highlights for the heat map" in problems(small, "content-highlight")[0]


def test_a_document_needs_words(small: Corpus):
    blank = replace(small, documents=(Document("bridge", (" \n",)), small.documents[1]))
    assert ids(blank, "highlight") == ["cave"]
    assert problems(blank, "highlight") == [
        "Document 'bridge' cannot be judged: it lacks the document's text."
    ]
    absent = replace(small, documents=())
    assert ids(absent, "overall") == []
    assert len(problems(absent, "overall")) == 4


def test_a_reference_cannot_stand_beside_itself(small: Corpus):
    result = ids(small, "content-reference", judge_references=True)
    assert "bridge/lead" in result
    assert "bridge/gold" not in result


def test_a_title_may_come_with_a_summary(small: Corpus):
    untitled = tuple(replace(document, title=None) for document in small.documents)
    titled = (replace(small.summaries[0], title="Shut"), *small.summaries[1:])
    assert ids(replace(small, documents=untitled), "quality") == []
    corpus = replace(small, documents=untitled, summaries=titled)
    assert len(ids(corpus, "quality")) == 3


name = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(name, name), unique=True))
def test_different_items_have_different_ids(names: list[tuple[str, str]]):
    items = [Item(document, (system,)) for document, system in names]
    assert len({item.id for item in items}) == len(items)


@pytest.mark.parametrize("name", ["highlight", "fluency", "pairwise", "content-highlight"])
def test_all_of_the_sample_can_be_judged(sample: Corpus, name: str):
    result = items_from(sample, get_protocol(name))
    assert not result.problems
    per_document = {"highlight": 1, "pairwise": 6}.get(name, 4)
    references = 0
    if get_protocol(name).judge_references:
        references = sum(summary.reference for summary in sample.summaries)
    assert len(result.items) == 14 * per_document + references
    assert len(result.by_id()) == len(result.items)


def test_pairs_of_a_thousand_systems_are_refused_before_they_are_put_together(small: Corpus):
    many = tuple(Summary("bridge", f"s{number}", "It is shut.") for number in range(1_000))
    corpus = replace(small, summaries=many)
    assert ids(corpus, "pairwise") == []
    # 1,000 * 999 / 2 = 499,500
    assert problems(corpus, "pairwise") == [
        "Document 'bridge' has 1,000 summaries to compare, which are 499,500 pairs; at most 20,000 "
        "of a document are allowed: leave systems out, or let sets of them be ranked."
    ]
