"""A machine's highlights against people's, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis import study
from gistmark.analysis.agreement.coefficients.kappa import cohen_kappa
from gistmark.analysis.agreement.machine_highlights import (
    highlight_matches,
    highlight_rankings,
    kappa_table,
)
from gistmark.corpus import Corpus
from gistmark.records import Document, Highlight, Machine, Summary
from gistmark.runtime.seeds import generator

# Offsets:  a0 b2 c4 d6 e8 f10 g12 h14
TEXT = "a b c d e f g h"


def marks(annotator: str, start: int, end: int, document: str = "d") -> Highlight:
    return Highlight(document, annotator, start, end, 4)


CORPUS = Corpus(
    (Document("d", (TEXT,)),),
    highlights=(
        marks("ann", 0, 7),  # a b c d
        marks("bob", 4, 7),  # c d
        marks("robot", 0, 3),  # a b
    ),
    machines=(Machine("robot", "tiny"),),
)


def split(corpus: Corpus) -> tuple[Corpus, Corpus]:
    return corpus.split(corpus.machine_names)


def test_the_numbers_of_a_machine_stand_beside_those_of_a_person():
    (record,) = highlight_matches(*split(CORPUS))
    assert (record.machine, record.model, record.n) == ("robot", "tiny", 1)
    assert (record.words, record.coverage) == (2, 2 / 8)
    assert (record.people_words, record.people_coverage) == (3, 3 / 8)
    # Without Bob, Ann marked both of the machine's words; without Ann, Bob none of them. Bob
    # marked 2 of Ann's 4, and Ann both of Bob's.
    assert (record.shared, record.people_shared) == ((1 + 0) / 2, (2 / 4 + 2 / 2) / 2)
    # With Ann 2 * 2 / (2 + 4), with Bob 0; Ann with Bob 2 * 2 / (4 + 2).
    assert record.f1 == pytest.approx((2 / 3 + 0) / 2)
    assert record.people_f1 == pytest.approx(2 / 3)
    # With Ann P = 6/8, Pe = 1/4 * 1/2 + 3/4 * 1/2 = 1/2: 1/2. With Bob P = 4/8 and
    # Pe = 1/4 * 1/4 + 3/4 * 3/4 = 5/8: -1/3. Ann with Bob as the machine with Ann.
    assert record.kappa == pytest.approx((1 / 2 - 1 / 3) / 2)
    assert record.people_kappa == pytest.approx(1 / 2)


def test_kappa_of_all_pairs_is_cohens():
    table = generator(3).random((40, 4)) < 0.3
    expected = [
        [cohen_kappa(*(table[:, [i, j]].T.astype(float)), None).value for j in range(4)]
        for i in range(4)
    ]
    assert kappa_table(table) == pytest.approx(np.array(expected))


def test_what_is_not_defined_is_none_and_other_documents_do_not_count():
    elsewhere = replace(
        CORPUS,
        documents=(*CORPUS.documents, Document("e", (TEXT,))),
        highlights=(marks("ann", 0, 3), marks("robot", 0, 3), marks("second", 0, 3, "e"),
                    marks("robot", 8, 9, "e")),
        machines=(Machine("robot"), Machine("second")),
    )  # fmt: skip
    first, second = highlight_matches(*split(elsewhere))
    assert (first.n, first.f1, first.people_f1, first.people_shared) == (1, 1, None, None)
    assert (second.n, second.f1) == (0, None)
    assert second.reason == "it highlighted no document that people highlighted too"


def test_a_machine_that_marks_as_people_do_has_their_numbers_and_one_of_chance_has_kappa_0():
    """Of 24 stretches of 5 words, 5 are 10 times as likely for people and `twin`, not `noise`."""
    rng = generator(0, "highlights")
    documents, highlights = [], []
    for number in range(60):
        documents.append(Document(f"d{number}", (" ".join(["word"] * 120),)))
        weights = np.full(24, 0.2)
        weights[rng.choice(24, 5, replace=False)] = 2.0
        for name in ("ann", "bob", "cyd", "twin", "noise"):
            likely = np.ones(24) if name == "noise" else weights
            stretches = rng.choice(24, 6, replace=False, p=likely / likely.sum()).tolist()
            highlights += [marks(name, 25 * k, 25 * k + 24, f"d{number}") for k in stretches]
    machines = (Machine("twin"), Machine("noise"))
    corpus = Corpus(tuple(documents), highlights=tuple(highlights), machines=machines)
    twin, noise = highlight_matches(*split(corpus))
    for number in ("words", "coverage", "shared", "f1", "kappa"):
        assert getattr(twin, number) == pytest.approx(getattr(twin, f"people_{number}"), abs=0.06)
    assert noise.kappa == pytest.approx(0, abs=0.06)
    assert twin.people_kappa is not None
    assert twin.people_kappa > 0.3


def with_systems(*texts: str) -> Corpus:
    summaries = tuple(Summary("d", f"s{n}", text) for n, text in enumerate(texts))
    return replace(CORPUS, summaries=summaries)


def test_systems_are_ranked_by_both():
    # By Ann (a b c d) and Bob (c d) the last summary has most of the highlighted words, by the
    # machine (a b) none.
    corpus = with_systems("a x x", "a b x", "c d x")
    records = {(r.metric, r.part): r for r in highlight_rankings(*split(corpus))}
    recall = records["hrouge1", "recall"]
    assert (recall.by_people, recall.by_machine) == (("s2", "s1", "s0"), ("s1", "s0", "s2"))
    # Of the pairs s0 s1, s0 s2, s1 s2 only the first has the same order.
    assert (recall.systems, recall.pairs, recall.same) == (3, 3, 1)
    # Ann alone: s1 and s2 are equal, and s0 is last; Bob alone: s2, then s0 and s1, which are
    # equal. Of the three pairs s0 s2 alone has the same order, whoever of them stands alone.
    assert recall.people_same == 1


def test_a_machine_like_people_has_all_pairs_and_noise_has_no_sentence():
    corpus = with_systems("a x x", "a b x", "c d x")
    alike = tuple(
        replace(mark, annotator="robot") for mark in corpus.highlights if mark.annotator == "bob"
    )
    corpus = replace(
        corpus,
        highlights=(*(m for m in corpus.highlights if m.annotator == "bob"), *alike),
    )
    for record in highlight_rankings(*split(corpus)):
        assert (record.same, record.people_same) == (record.pairs, None)
        assert record.reason == "no document was highlighted by two people"


def test_one_system_cannot_be_ranked():
    records = highlight_rankings(*split(with_systems("a b")))
    assert {(r.pairs, r.same, r.reason) for r in records} == {
        (0, None, "there are fewer than two systems with HROUGE by both")
    }


def test_a_study_has_both_and_counts_the_machine_as_no_person():
    result = study(with_systems("a x x", "a b x", "c d x"))
    assert [each.machine for each in result.highlight_matches] == ["robot"]
    assert len(result.highlight_rankings) == 6
    kappa = next(
        each for each in result.agreement if each.statistic == "span-kappa" and not each.scope
    )
    without = study(split(with_systems("a x x"))[0])
    assert kappa.value == next(
        each.value for each in without.agreement if each.statistic == "span-kappa"
    )
    assert result.to_pandas("highlight_rankings")["pairs"].tolist() == [3] * 6
