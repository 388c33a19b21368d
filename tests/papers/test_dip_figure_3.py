"""DIP-SumEval's Figure 3: metrics against the documents of a topic, on topics made up for it.

The documents of the paper are not released. Here the truth is known: a better summary states more
of what the topic's texts say, and people rate it accordingly.
"""

from __future__ import annotations

import pytest

import gistmark
from gistmark.analysis.correlation.correlations import correlations
from gistmark.analysis.data.measures import measures_of
from gistmark.analysis.human import dimension_means
from gistmark.corpus import Corpus
from gistmark.metrics.catalogue import GROUPS
from gistmark.records import Document, Rating, Summary

TOPICS = {
    "1001": ("The council closed the bridge.", "A painter found a crack.",
             "The ferries carried the workers.", "The engineers repaired the steel."),
    "1002": ("The museum bought a painting.", "A guard lost the key.",
             "The mayor opened the garden.", "The visitors admired the statue."),
}  # fmt: skip
"""Four facts each, told by two texts."""


@pytest.fixture(scope="module")
def topics() -> Corpus:
    """System sk says k facts of each topic, and in place of the others something else."""
    documents, summaries, ratings = [], [], []
    for topic, facts in TOPICS.items():
        documents.append(Document(topic, (" ".join(facts[:2]), " ".join(facts[2:]))))
        for count in range(5):
            filler = ["Somebody sold seven yellow kettles."] * (4 - count)
            summaries.append(Summary(topic, f"s{count}", " ".join((*facts[:count], *filler))))
            ratings.append(Rating(topic, f"s{count}", "ann", "Information Content", count + 1))
    return Corpus(documents=tuple(documents), summaries=tuple(summaries), ratings=tuple(ratings))


def test_the_group_of_the_figure_correlates_with_what_people_say(topics: Corpus) -> None:
    specs = GROUPS["dip-sumeval"]
    scores = gistmark.score(topics, ["dip-sumeval"], cache=False)
    assert tuple(scores.columns) == specs
    records = correlations(
        measures_of(scores), dimension_means(topics.ratings), levels=("global",),
        coefficients=("spearman",),
    )  # fmt: skip
    value_of = {(record.metric, record.part): record.value for record in records}
    rouge = {part for metric, part in value_of if metric == "rouge1:against=document"}
    assert rouge == {"precision", "recall", "f"}
    # Both topics have the same steps, so only ties between them and lengths keep rho below 1.
    assert value_of["pyramid:against=document", "value"] > 0.9
    for metric in ("rouge1", "rouge2", "rougeLsum", "rougeW"):
        assert value_of[f"{metric}:against=document", "recall"] > 0.9
    assert value_of["js", "value"] < -0.9
