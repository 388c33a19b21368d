"""Highlights by machines: within the budget, at the right characters, never from people's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import gistmark
from gistmark.corpus import Corpus, sample_folder
from gistmark.errors import UsageError
from gistmark.judgements.highlights import Sheet
from gistmark.judges.highlights import (
    NO_SENTENCES,
    UNITS,
    MachineHighlights,
    SentenceMetric,
    highlight_by_judge,
    highlight_by_systems,
    highlight_by_units,
)
from gistmark.metrics.catalogue import metric_from
from gistmark.records import ContentUnit, Document, Highlight, Machine, Summary
from gistmark.signature import Signature
from judges.server import JudgeServer

FIRST = "A painter found a crack in the bridge. It was shut on Tuesday night. Boats still pass."
SECOND = "Prices rose. The foundry in the north casts two new steel arms for the bridge."
CORPUS = Corpus((Document("one", (FIRST,)), Document("both", (FIRST, SECOND))))


def marked(made: MachineHighlights, document: str, corpus: Corpus = CORPUS) -> list[str]:
    text = corpus.document(document).text
    return [text[mark.start : mark.end] for mark in made.highlights if mark.document == document]


class TestSystems:
    def test_the_sentences_that_fit_are_marked_as_a_machines(self) -> None:
        # The first two have 8 + 6 words; the third would be the 17th word.
        made = highlight_by_systems(CORPUS, ["LeadFirst"], 16)
        assert marked(made, "one") == [
            "A painter found a crack in the bridge.", "It was shut on Tuesday night.",
        ]  # fmt: skip
        (machine,) = made.machines
        assert (machine.annotator, machine.model) == ("machine:LeadFirst", "LeadFirst")
        assert Signature.parse(machine.signature or "").fields["max-words"] == "16"
        assert {mark.budget for mark in made.highlights} == {16}

    def test_offsets_count_across_several_texts(self) -> None:
        corpus = replace(CORPUS, summaries=(Summary("both", "gold", SECOND, reference=True),))
        made = highlight_by_systems(corpus, ["Oracle"], 14)
        assert marked(made, "both") == [
            "The foundry in the north casts two new steel arms for the bridge."
        ]

    def test_the_beginning_is_marked_where_every_sentence_is_too_long(self) -> None:
        made = highlight_by_systems(CORPUS, ["LeadFirst"], 3)
        assert marked(made, "one") == ["A painter found"]
        assert marked(highlight_by_systems(CORPUS, ["MMR"], 3), "one") == ["Boats still pass."]
        assert marked(highlight_by_systems(CORPUS, ["MMR"], 2), "one") == ["A painter"]

    @pytest.mark.parametrize("budget", [1, 7, 30])
    def test_no_machine_marks_more_words_than_it_may(self, budget: int) -> None:
        corpus = gistmark.load(sample_folder())
        made = highlight_by_systems(corpus, "default", budget)
        for name in made.names:
            for document in corpus.documents:
                spans = tuple(
                    (mark.start, mark.end) for mark in made.highlights
                    if (mark.annotator, mark.document) == (name, document.id)
                )  # fmt: skip
                assert 0 < len(Sheet(document.text, budget, spans).words()) <= budget

    def test_words_of_a_script_without_spaces_count_one_by_one(self) -> None:
        corpus = Corpus((Document("th", ("ไฟไหม้ที่อ่าวเมื่อคืนนี้",), lang="th"),))
        (mark,) = highlight_by_systems(corpus, ["LeadFirst"], 4).highlights
        text = corpus.documents[0].text
        assert len(Sheet(text, 9, ((mark.start, mark.end),)).words()) == 4

    def test_people_are_never_read(self) -> None:
        seen = replace(CORPUS, highlights=(Highlight("one", "ann", 0, 9),))
        made = highlight_by_systems(seen, ["Oracle"], 30)
        assert made.highlights == made.machines == ()
        assert {each.document for each in made.failures} == {"one", "both"}
        assert "was given none of document" in made.failures[0].reason

    def test_a_document_without_sentences_has_a_reason(self) -> None:
        made = highlight_by_systems(Corpus((Document("e", (" ",)),)), ["LeadFirst"], 30)
        assert [each.reason for each in made.failures] == [NO_SENTENCES]

    def test_systems_that_write_are_refused(self) -> None:
        with pytest.raises(UsageError, match="can highlight, not abstractive; the group"):
            highlight_by_systems(CORPUS, ["LeadFirst", "abstractive"], 30)

    def test_a_person_is_not_written_over(self) -> None:
        taken = replace(CORPUS, highlights=(Highlight("one", "machine:LeadFirst", 0, 9),))
        with pytest.raises(UsageError, match="which machines"):
            highlight_by_systems(taken, ["LeadFirst"], 30)
        highlight_by_systems(
            replace(taken, machines=(Machine("machine:LeadFirst"),)), ["LeadFirst"]
        )


def test_a_corpus_keeps_people_and_gets_each_machine_once() -> None:
    by_ann = Highlight("one", "ann", 0, 9)
    corpus = replace(CORPUS, highlights=(by_ann,))
    first = highlight_by_systems(corpus, ["LeadFirst"], 30).added_to(corpus)
    again = highlight_by_systems(first, ["LeadFirst"], 3)
    both = again.added_to(first)
    assert both.highlights == (by_ann, *again.highlights)
    assert both.machine_names == {"machine:LeadFirst"}
    assert both.by_people().highlights == (by_ann,)
    assert again.added_to(first, alone=True).highlights == again.highlights


def test_a_machine_is_scored_only_by_its_name() -> None:
    by_ann = Highlight("one", "ann", 0, len("A painter"))
    corpus = replace(
        CORPUS, summaries=(Summary("one", "s", "A painter slept."),), highlights=(by_ann,)
    )
    people = gistmark.score(corpus, ["hrouge1"], cache=False)
    made = highlight_by_systems(corpus, ["LeadFirst"], 8)
    both = gistmark.score(
        made.added_to(corpus), ["hrouge1", "hrouge1:by=machine:LeadFirst"], cache=False
    )
    assert both["hrouge1"].values.tolist() == people["hrouge1"].values.tolist()
    # Recall of LeadFirst's eight words: "a" stands there twice, "painter" once; the 6 others not.
    assert both["hrouge1:by=machine:LeadFirst"].values[0, 1] < people["hrouge1"].values[0, 1]
    alone = gistmark.score(
        made.added_to(corpus, alone=True), ["hrouge1:by=machine:LeadFirst"], cache=False
    )
    by_machine = "hrouge1:by=machine:LeadFirst"
    assert alone[by_machine].values.tolist() == both[by_machine].values.tolist()
    assert "by:machine\\:LeadFirst" in metric_from(by_machine).signature


class TestUnits:
    def test_the_heaviest_unit_comes_first_and_its_shortest_stretch_is_marked(self) -> None:
        units = (
            ContentUnit("one", "u1", "Boats may pass", 1.0),
            ContentUnit("one", "u2", "the bridge has a crack", 3.0),
        )
        made = highlight_by_units(replace(CORPUS, units=units), 5)
        # "crack in the bridge" has 4 words; "Boats still pass" would be 3 more than 5 allow.
        assert marked(made, "one") == ["crack in the bridge."]
        both = highlight_by_units(replace(CORPUS, units=units), 7)
        assert marked(both, "one") == ["crack in the bridge.", "Boats still pass."]
        assert both.names == (UNITS,)

    def test_a_unit_that_no_sentence_says_marks_nothing(self) -> None:
        units = (ContentUnit("one", "u1", "Ferries carry passengers free of charge"),)
        made = highlight_by_units(replace(CORPUS, units=units), 30)
        assert made.highlights == made.machines == ()
        reasons = {each.document: each.reason for each in made.failures}
        assert reasons["one"].startswith("no sentence has 50%")
        assert reasons["both"] == "the document has no content units"


class TestJudge:
    def test_the_most_important_sentences_are_marked(
        self, serve: Callable[..., JudgeServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        important = {"Boats still pass.": 1.0, "It was shut on Tuesday night.": 0.5}
        server = serve(quality=lambda text: important.get(text, 0.0))
        monkeypatch.setenv("GISTMARK_JUDGE_URL", server.url)
        monkeypatch.setenv("GISTMARK_JUDGE_MODEL", "tiny")
        made = highlight_by_judge(CORPUS, SentenceMetric(), 9, cache=tmp_path)
        # 3 and 6 words; the 8 words of the first sentence do not fit into what is left.
        assert marked(made, "one") == ["It was shut on Tuesday night.", "Boats still pass."]
        assert made.names == ("machine:tiny-highlights",)
        fields = Signature.parse(made.machines[0].signature or "").fields
        assert (fields["budget"], fields["protocol"]) == ("9", "highlight")
        assert len(server.judged) == 3 + 5
        assert highlight_by_judge(CORPUS, SentenceMetric(), 9, cache=tmp_path) == made
        assert len(server.judged) == 3 + 5, "the answers are cached"

    def test_a_document_that_is_not_judged_whole_is_not_marked(
        self, serve: Callable[..., JudgeServer], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from judges.server import error, prompt_of

        def script(_: int, body: dict[str, object]) -> object:
            return error(400, "No.") if "Prices rose." in prompt_of(body).split("<sentence>")[-1] \
                else None  # fmt: skip

        server = serve(script=script)
        monkeypatch.setenv("GISTMARK_JUDGE_URL", server.url)
        monkeypatch.setenv("GISTMARK_JUDGE_MODEL", "tiny")
        made = highlight_by_judge(CORPUS, SentenceMetric(), 9, cache=False)
        assert {mark.document for mark in made.highlights} == {"one"}
        assert [each.document for each in made.failures] == ["both"]
