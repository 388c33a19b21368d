"""`gistmark highlight`: what it writes, prints and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import load
from judges.server import JudgeServer, running

Run = Callable[..., Any]


@pytest.fixture
def single(tmp_path: Path) -> Path:
    """A corpus in a single file that nobody highlighted."""
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id": "a", "text": "The cat sat. The dog ran.", "summaries": {"s": "A cat."}}'
    )
    return path


def test_machines_are_compared_with_people_and_nothing_is_written(run: Run, sample: Path):
    done = run("highlight", sample, "-s", "LeadFirst", "-s", "Random")
    assert (done.status, done.err) == (0, "")
    assert "machine:LeadFirst" in done.out
    assert "14 of 14" in done.out
    assert "in brackets) a person against the other people" in done.out
    assert "4 systems came out here. Their pairs depend on each other, so it is no test." in (
        done.out
    )


def test_the_corpus_with_the_highlights_names_its_machines(run: Run, sample: Path, tmp_path: Path):
    output = tmp_path / "marked"
    arguments = ("-s", "LeadFirst", "--budget", 12, "-o", output, "--json")
    done = run("highlight", sample, *arguments)
    facts = json.loads(done.out)
    assert facts["corpus"] == str(output)
    assert [each["annotator"] for each in facts["machines"]] == ["machine:LeadFirst"]
    assert [each["n"] for each in facts["matches"]] == [14]
    assert {each["metric"] for each in facts["rankings"]} == {"hrouge1", "hrouge2"}
    corpus, before = load(output), load(sample)
    assert corpus.by_people().highlights == before.highlights
    new = [each for each in corpus.highlights if each not in before.highlights]
    assert len(new) == facts["highlights"]
    assert {(each.annotator, each.budget) for each in new} == {("machine:LeadFirst", 12)}
    assert run("highlight", sample, *arguments).status == 2
    assert run("highlight", sample, *arguments, "--force").status == 0
    study = run("study", output, "-m", "hrouge1:by=machine:LeadFirst", "-o", tmp_path / "study")
    assert study.status == 0
    report = (tmp_path / "study" / "report.md").read_text()
    assert "Highlights of machines and of people" in report
    assert "Systems by HROUGE with machines’ and with people’s highlights" in report


def test_a_corpus_of_machines_alone_is_scored_by_the_name_of_one(
    run: Run, single: Path, tmp_path: Path
):
    done = run("highlight", single, "-s", "LeadFirst", "-o", tmp_path / "marked")
    assert "no comparison" in done.out
    scored = run("score", tmp_path / "marked", "-m", "hrouge1:by=machine:LeadFirst")
    assert scored.status == 0
    refused = run("score", tmp_path / "marked", "-m", "hrouge1")
    assert refused.status == 1
    assert "only machines highlighted the document; by=NAME" in refused.err


def test_alone_leaves_people_out(run: Run, sample: Path, tmp_path: Path):
    run("highlight", sample, "-s", "LeadFirst", "--alone", "-o", tmp_path / "marked")
    assert {m.annotator for m in load(tmp_path / "marked").highlights} == {"machine:LeadFirst"}


def test_a_judge_marks_after_consent(
    run: Run, single: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    for name in ("URL", "MODEL", "KEY"):
        monkeypatch.delenv(f"GISTMARK_JUDGE_{name}", raising=False)
    with running(JudgeServer(quality=lambda text: float("dog" in text))) as server:
        at = ("--judge", "--judge-url", server.url, "--judge-model", "tiny", "--budget", 3)
        refused = run("highlight", single, *at)
        assert (refused.status, len(server.judged)) == (2, 0)
        assert "start it with --yes" in refused.err
        done = run("highlight", single, *at, "--yes", "-o", tmp_path / "marked")
    assert done.status == 0
    assert "The judge is asked 2 questions" in done.err
    corpus = load(tmp_path / "marked")
    (mark,) = corpus.highlights
    assert corpus.documents[0].text[mark.start : mark.end] == "The dog ran."
    assert corpus.machine_names == {"machine:tiny-highlights"}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("-s", "PG-MMR"), 2, "Only systems that take sentences as they are can highlight"),
        (("-s", "LexRnak"), 2, "LexRank"),
        (("--budget", "0"), 2, "--budget"),
        (("--units",), 1, "Nothing could be highlighted; the reasons are above."),
        (("-s", "Oracle"), 1, "needs references or highlights"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    run: Run, single: Path, arguments: tuple[str, ...], status: int, message: str
):
    done = run("highlight", single, *arguments)
    assert done.status == status
    assert message in done.err
    assert "Traceback" not in done.err
