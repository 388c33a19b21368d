"""The papers' released data are read whole; expected numbers come from PAPERS.md and the files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load, save
from gistmark.corpus.formats import FORMATS, Writer

pytestmark = pytest.mark.papers

SOURCES = {
    "highres": "highres",
    "dip-sumeval": "dip-sumeval",
    "emfos": "emfos/DATA.csv",
    "blanc": "blanc/CNN_DailyMail_555.json",
}


def read(name: str, paper_data: Path) -> Corpus:
    source = paper_data / SOURCES[name]
    if not source.exists():
        pytest.skip(f"{source} is not there")
    return FORMATS.get(name).read(source)


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_read_survives_the_folder_and_its_own_format(
    name: str, paper_data: Path, tmp_path: Path
) -> None:
    corpus = read(name, paper_data)
    save(corpus, tmp_path / "corpus")
    assert load(tmp_path / "corpus") == corpus
    writer = FORMATS.get(name)
    assert isinstance(writer, Writer)
    assert writer.write(corpus, tmp_path / "again") == ()
    assert writer.read(tmp_path / "again") == corpus


def test_highres_has_its_documents_summaries_and_checks(paper_data: Path) -> None:
    corpus = read("highres", paper_data)
    assert corpus.systems == ("ptgen", "tconvs2s")
    assert {summary.system for result in corpus.references.values() for summary in result} == {
        "gold"
    }
    assert corpus.counts() == {
        "documents": 50,
        "systems": 2,
        "summaries": 100,
        "references": 50,
        "ratings": 0,
        "comparisons": 0,
        "highlights": 0,
        "questions": 100,
        "planted": 20,
        "content units": 0,
        "presence marks": 0,
        "error annotations": 0,
        "answers": 0,
        "sampled documents": 0,
        "turns": 0,
        "machines": 0,
        "conditions": 0,
    }
    assert Counter(q.about for q in corpus.questions) == {"document": 50, "reference": 50}
    assert corpus.notes == ()


def test_highres_texts_split_into_the_tokens_of_the_paper(paper_data: Path) -> None:
    """Table 5 counts CoreNLP's `originalText`; white space must separate exactly those."""
    for document in read("highres", paper_data).documents:
        path = paper_data / "highres" / "documents" / f"{document.id}.data"
        content = json.loads(path.read_text(encoding="utf-8"))
        tokens = [t["originalText"] for s in content["sentences"] for t in s["tokens"]]
        assert document.text.lower().split() == [token.lower() for token in tokens]


def test_dip_sumeval_loses_no_rating_and_no_vote(paper_data: Path) -> None:
    """1,247 rows of eleven ratings; 49 topics of 21 pairs of systems, six criteria, seven votes."""
    corpus = read("dip-sumeval", paper_data)
    assert len(corpus.ratings) == 1_247 * 11
    assert len(corpus.comparisons) == 49 * 21 * 6 * 7
    assert len({vote.annotator for vote in corpus.comparisons}) == 64
    assert Counter(vote.choice for vote in corpus.comparisons).total() == 43_218
    per_unit = Counter(
        (v.document, frozenset((v.left, v.right)), v.dimension) for v in corpus.comparisons
    )
    assert set(per_unit.values()) == {7}


def test_dip_sumeval_has_a_summary_for_all_that_was_judged(paper_data: Path) -> None:
    corpus = read("dip-sumeval", paper_data)
    written = {(summary.document, summary.system) for summary in corpus.summaries}
    assert {(rating.document, rating.system) for rating in corpus.ratings} <= written
    assert {(v.document, s) for v in corpus.comparisons for s in (v.left, v.right)} <= written
    assert Counter(summary.system for summary in corpus.summaries)["LeadFirst"] == 38
    assert len(corpus.summaries) == 9 * 49 + 38
    assert "MMR*" in corpus.systems


def test_emfos_keeps_the_two_sets_of_reviewers_apart(paper_data: Path) -> None:
    corpus = read("emfos", paper_data)
    assert corpus.counts()["summaries"] == corpus.counts()["references"] == 1_001
    assert Counter(rating.campaign for rating in corpus.ratings) == {
        "set1": 1_001 * 6,
        "set2": 1_001 * 6,
    }
    people = {
        campaign: {rating.annotator for rating in corpus.ratings if rating.campaign == campaign}
        for campaign in ("set1", "set2")
    }
    assert (len(people["set1"]), len(people["set2"])) == (9, 21)
    assert {note.message for note in corpus.notes} == {
        "The column '' is unknown and was left out.",
        "The column 'url' is unknown and was left out.",
    }


def test_blanc_shares_documents_of_equal_texts(paper_data: Path) -> None:
    """200 texts have one summary, 45 have three, 55 have four: 555 in all."""
    corpus = read("blanc", paper_data)
    per_document = Counter(summary.document for summary in corpus.summaries)
    assert Counter(per_document.values()) == {1: 200, 3: 45, 4: 55}
    assert len(corpus.ratings) == 5_510
    assert len({rating.annotator for rating in corpus.ratings}) == 13
    per_summary = Counter((rating.document, rating.system) for rating in corpus.ratings)
    assert sum(count < 10 for count in per_summary.values()) == 37
