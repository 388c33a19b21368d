"""An adaptive campaign replayed from its export."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from gistmark.analysis import StudyOptions, study
from gistmark.analysis.ranking.stopping import sequential_pairs
from gistmark.corpus import Corpus, load, save
from gistmark.errors import CorpusError
from gistmark.judgements.adaptive import Gap, Rule
from gistmark.judgements.adaptive.allocation import simulate_campaign
from gistmark.records import Comparison, Document, Summary, Turn
from gistmark.report import write_report

SYSTEMS = ("a", "b", "c")
RULE = Rule("comparisons", "overall")


def campaign() -> tuple[Corpus, object]:
    """A simulated campaign as its export has it, and what the campaign knew at its end."""
    rng = np.random.default_rng(3)
    comparisons = []

    def answer(document, systems):
        won = bool(rng.random() < 0.85)
        choice = "left" if won else "right"
        comparisons.append(Comparison(document, *systems, "ann", "overall", choice))
        return [Gap(document, *systems, 1.0 if won else -1.0)]

    documents = [f"d{number}" for number in range(80)]
    tasks = dict.fromkeys(combinations(SYSTEMS, 2), documents)
    done = simulate_campaign(tasks, answer, RULE, seed=1)
    turns = tuple(
        Turn(number, document, "/".join(systems), "ann", 1 / (9 * weight), 9, RULE.signature)
        for number, ((document, systems), weight) in enumerate(
            zip(done.tasks, done.weights, strict=True), start=1
        )
    )
    corpus = Corpus(
        documents=tuple(Document(name, ("text",)) for name in documents),
        summaries=tuple(Summary(name, s, s * 3) for name in documents for s in SYSTEMS),
        comparisons=tuple(comparisons),
        sequence=turns,
    )
    return corpus, done


@pytest.fixture(scope="module")
def simulated():
    return campaign()


def test_a_replay_comes_to_what_the_campaign_knew(simulated, tmp_path):
    corpus, done = simulated
    save(corpus, tmp_path / "export")
    pairs = sequential_pairs(load(tmp_path / "export"))
    assert {(p.left, p.right): (p.decided, p.through) for p in pairs} == {
        pair: (each.verdict, each.through) for pair, each in done.evidence.decisions.items()
    }
    assert max(pair.after for pair in pairs) == len(done.tasks) == len(corpus.sequence)
    for pair in pairs:
        bets = done.evidence.of((pair.left, pair.right))
        assert pair.n == bets.n
        if bets.verdict == "above":
            assert 0 < pair.low < pair.difference <= pair.high


def test_a_study_shows_the_decisions_and_the_report_has_them(simulated, tmp_path):
    corpus, _ = simulated
    result = study(corpus, options=StudyOptions(resamples=50))
    assert len(result.sequential) == 3
    sentences = [finding.text for finding in result.findings if finding.by == "sequence"]
    count = len(corpus.sequence)
    assert sentences == [
        f"overall: the campaign’s own rule decided 3 of 3 pairs of systems, the last one after "
        f"{count} of {count} judgements."
    ]
    page = write_report(result, corpus, None, tmp_path / "report").read_text()
    assert "Decisions of the campaign" in page
    assert "each comparison counts by the ratio of its probability" in result.methods


def test_a_sequence_that_cannot_be_replayed_is_a_note_and_mixed_rules_a_problem(
    simulated, tmp_path
):
    corpus, _ = simulated
    other = tuple(replace(turn, rule="rouge|v:1") for turn in corpus.sequence)
    result = study(replace(corpus, sequence=other), options=StudyOptions(resamples=50))
    assert result.sequential == ()
    assert any("was not replayed" in note.text for note in result.notes)
    mixed = replace(corpus, sequence=(*corpus.sequence[:-1], other[-1]))
    with pytest.raises(CorpusError, match="The rule differs from that of the first row"):
        save(mixed, tmp_path / "mixed")
