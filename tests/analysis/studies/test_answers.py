"""A study of answers: records, findings, notes, ranks and the report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gistmark.analysis import Study, StudyOptions, people_study, study
from gistmark.corpus import Corpus
from gistmark.records import Document, Response, Summary, item_name
from gistmark.report import write_report

SYSTEMS = ("good", "fair", "<b>bad</b>")
DOCUMENTS = tuple(f"d{number}" for number in range(12))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Two annotators who agree on everything but the genre; the last system is always worst."""
    responses = []
    for number, document in enumerate(DOCUMENTS):
        for annotator in ("ann", "bob"):
            genre = "news" if annotator == "ann" or number % 3 else "sport"
            for system in SYSTEMS:
                about = (document, item_name([system]), system, annotator)
                responses += [
                    Response(*about, "genre", "choice", genre),
                    Response(*about, "true", "yes-no", "no" if "bad" in system else "yes"),
                    Response(*about, "why", "text", f"Because of <i>{system}</i>."),
                ]
            shown = item_name(SYSTEMS)
            first = number % 4 != 0
            ranks = (1, 2, 3) if first else (2, 1, 3)
            words = ("best", "", "worst") if first else ("", "best", "worst")
            for system, rank, word in zip(SYSTEMS, ranks, words, strict=True):
                about = (document, shown, system, annotator)
                responses += [
                    Response(*about, "order", "ranking", str(rank)),
                    Response(*about, "extremes", "best-worst", word),
                ]
    return Corpus(
        tuple(Document(id, ("A text.",)) for id in DOCUMENTS),
        tuple(Summary(id, system, f"{system} {id}") for id in DOCUMENTS for system in SYSTEMS),
        responses=tuple(responses),
    )


@pytest.fixture(scope="module")
def finished(corpus: Corpus) -> Study:
    return study(corpus, None, StudyOptions(resamples=100))


def test_answers_alone_are_studied_and_repeatable(corpus: Corpus, finished: Study) -> None:
    assert study(corpus, None, StudyOptions(resamples=100)).to_json() == finished.to_json()
    alone = people_study(corpus, StudyOptions(resamples=100))
    assert (alone.options, alone.sets, alone.ranking) == (
        finished.options,
        finished.sets,
        finished.ranking,
    )


def test_each_question_has_its_finding(finished: Study) -> None:
    """Of 72 genres 60 are news: bob says sport for 4 of 12 documents, 3 systems each."""
    texts = {(f.kind, f.dimension): f.text for f in finished.findings}
    assert texts["answers", "genre"].startswith(
        "genre: the most frequent answer is “news”, 83 % of 72 answers ["
    )
    assert texts["answers", "true"].startswith(
        "true: the most frequent answer is “yes”, 67 % of 72 answers."
    )
    assert texts["answers", "why"] == "why: 72 texts, on average 25 characters long."
    assert texts["agreement", "true"].startswith("Agreement in answers to true: 1.000")
    assert texts["agreement", "order"].startswith("Agreement in rankings by order: 1.000")
    best = next(f for f in finished.findings if (f.by, f.kind) == ("rankings", "systems"))
    assert best.text.startswith("good has the highest mean of people’s rankings by order: 0.875")


def test_ties_for_the_most_frequent_answer_are_all_named(corpus: Corpus) -> None:
    only = [r for r in corpus.responses if r.question == "genre"][:2]
    tied = replace(corpus, responses=(only[0], replace(only[1], value="sport")))
    [finding] = [f for f in study(tied).findings if f.kind == "answers"]
    assert finding.text == (
        "genre: the most frequent answers are “news” and “sport”, 50 % of 2 answers each."
    )


def test_one_text_has_no_average(corpus: Corpus) -> None:
    one = replace(corpus, responses=[r for r in corpus.responses if r.question == "why"][:1])
    [finding] = [f for f in study(one).findings if f.kind == "answers"]
    assert finding.text == "why: 1 text, 23 characters long."
    assert finding.detail == "By 1 annotator, about 1 document and 1 system."


def test_rankings_rank_systems_and_are_a_human_score(finished: Study) -> None:
    """good is first in 9 of 12 documents: (9 * 1 + 3 * 1/2) / 12 and 9/12 times best."""
    kinds = {(r.by, r.dimension, r.method) for r in finished.ranking}
    assert kinds == {
        (by, question, method)
        for by, question in (("rankings", "order"), ("best-worst", "extremes"))
        for method in ("mean", "Bradley-Terry")
    }
    means = {(r.by, r.system): r.value for r in finished.ranking if r.method == "mean"}
    assert means["rankings", "good"] == pytest.approx(10.5 / 12)
    assert means["best-worst", "good"] == pytest.approx(0.75)
    assert means["best-worst", "<b>bad</b>"] == -1.0
    humans = {record.human for record in finished.correlation if record.metric == "chars"}
    assert humans == {"order (ranking)", "extremes (best-worst)"}
    pairs = [p for p in finished.pairs if (p.by, p.method) == ("rankings", "mean")]
    worst = next(p for p in pairs if (p.left, p.right) == ("good", "<b>bad</b>"))
    assert worst.p_corrected is not None
    assert worst.p_corrected < 0.05


def test_study_json_and_methods_say_it_all(finished: Study) -> None:
    record = json.loads(finished.to_json())
    assert [q["question"] for q in record["questions"]] == [
        "genre", "true", "why", "order", "extremes",
    ]  # fmt: skip
    assert len(record["texts"]) == 72
    for words in ("MASI", "mid-ranks", "best-worst choice gives"):
        assert words in finished.methods
    assert list(finished.to_pandas("sets").columns)[:3] == ["question", "type", "system"]


def test_rankings_of_different_sizes_are_noted(corpus: Corpus, finished: Study) -> None:
    assert not [note for note in finished.notes if note.about == "order"]
    ranks = [r for r in corpus.responses if r.question == "order" and r.annotator == "ann"][:3]
    two = item_name(SYSTEMS[:2])
    smaller = [replace(r, item=two, annotator="eve") for r in ranks[:2]]
    notes = study(replace(corpus, responses=(*ranks, *smaller))).notes
    sizes, meetings = [note.text for note in notes if note.about == "order"]
    assert sizes.startswith("The rankings are of 2 to 3 summaries")
    assert "did not meet each other equally often (the rarest pair 1 time" in meetings


def test_nothing_to_study_names_answers() -> None:
    with pytest.raises(Exception, match="error annotations or answers"):
        study(Corpus(summaries=(Summary("d", "s", "x"),)))


def test_the_report_shows_each_question_escaped(
    corpus: Corpus, finished: Study, tmp_path: Path
) -> None:
    page = write_report(finished, corpus, None, tmp_path).read_text(encoding="utf-8")
    section = page[page.index('<section id="questions"') :]
    section = section[: section.index("</section>")]
    for title in (
        "genre: share of each option",
        "why: texts",
        "order: ranks of systems",
        "extremes: best and worst of systems",
    ):
        assert title in section
    assert "Because of &lt;i&gt;good&lt;/i&gt;." in section
    assert "<b>bad</b>" not in page.partition('<script type="application/json"')[0]
    texts = (tmp_path / "tables" / "question_3.csv").read_text(encoding="utf-8")
    assert texts.startswith("document,system,annotator,text,characters\n")
    assert len(texts.splitlines()) == 73
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "order: ranks of systems" in markdown
    assert "extremes" in (tmp_path / "tables" / "question_5.tex").read_text(encoding="utf-8")
