"""Simulated annotators: careful ones pass the checks, careless ones do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import (
    PROTOCOLS,
    STYLES,
    Answer,
    Knowledge,
    Sheet,
    Simulated,
    Style,
    Task,
    Texts,
    Verdict,
    assemble,
    check,
    configured,
    get_protocol,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    propose_missing_planted,
    propose_missing_questions,
    read_answer,
    simulate,
)

QUALITY = {"careful": 0.85, "lead": 0.65, "terse": 0.4, "garbled": 0.1}


def work(
    corpus: Corpus, name: str, style: Style, knowledge: Knowledge | None = None
) -> Iterator[tuple[Task, Simulated, Answer, Verdict]]:
    """Every task of a protocol done once by an annotator of this style."""
    protocol = configured(get_protocol(name), {"judges": 1})
    items = items_from(corpus, protocol)
    known = knowledge or knowledge_from(corpus, QUALITY, seed=1)
    texts = Texts.of(corpus)
    for slot in make_slots(items.items, protocol, seed=1):
        task = assemble(
            slot, style, items.by_id(), protocol, seed=1,
            questions=corpus.questions, planted=corpus.planted, corpus=corpus,
        )  # fmt: skip
        sent = simulate(
            payload(task, protocol, corpus),
            style,
            known,
            seed=1,
            annotator=style,
            minimum_seconds=protocol.minimum_seconds,
        )
        answer = read_answer(sent.answer, protocol, task, texts=texts)
        yield task, sent, answer, check(protocol, task, answer, elapsed=sent.seconds)


def accepted(corpus: Corpus, name: str, style: Style, knowledge: Knowledge | None = None) -> float:
    verdicts = [verdict.accepted for *_, verdict in work(corpus, name, style, knowledge)]
    return sum(verdicts) / len(verdicts)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", tuple(PROTOCOLS))
def test_every_style_gives_whole_answers_to_every_protocol(sample: Corpus, name: str, style: Style):
    few = replace(sample, documents=sample.documents[:3])
    few = replace(few, summaries=tuple(s for s in sample.summaries if s.document in
                                       {d.id for d in few.documents}))  # fmt: skip
    assert [answer.items for _, _, answer, _ in work(few, name, style)]


@pytest.mark.parametrize("name", tuple(PROTOCOLS))
def test_careful_annotators_are_always_accepted_and_seldom_flagged(sample: Corpus, name: str):
    verdicts = [verdict for *_, verdict in work(sample, name, "careful")]
    assert all(verdict.accepted for verdict in verdicts)
    # A summary that is bad throughout gets one value throughout from an honest judge too.
    assert {flag.kind for verdict in verdicts for flag in verdict.flags} <= {"straight_line"}
    assert sum(bool(verdict.flags) for verdict in verdicts) <= 0.2 * len(verdicts)


def test_careless_and_adversarial_annotators_fail_on_planted_summaries(sample: Corpus):
    # Three random values are in order once in six; two alternating values or one never are.
    assert accepted(sample, "fluency", "careless") < 0.5
    assert accepted(sample, "fluency", "adversarial") == 0.0
    assert accepted(sample, "fluency", "careful") == 1.0


def test_a_program_that_compares_bags_of_words_fails_on_planted_summaries(sample: Corpus):
    """It tells those whose bad one has the words of the mediocre one, as they once were."""
    permuted = tuple(
        replace(each, bad=" ".join(reversed(each.mediocre.lower().split())))
        for each in sample.planted
    )
    assert accepted(replace(sample, planted=permuted), "fluency", "scripted") == 1.0
    proposed = propose_missing_planted(replace(sample, planted=()), seed=1).planted
    for planted in (sample.planted, proposed):
        assert accepted(replace(sample, planted=planted), "fluency", "scripted") < 0.35


@pytest.mark.parametrize("name", ["content-document", "content-reference", "highlight"])
def test_who_guesses_fails_the_question_about_half_the_time(sample: Corpus, name: str):
    assert accepted(sample, name, "careless") < 0.75
    assert accepted(sample, name, "noisy") > accepted(sample, name, "careless")


def test_generated_checks_are_passed_by_reading_alone(sample: Corpus):
    """Without being told what is true or which text is planted."""
    corpus = replace(sample, questions=(), planted=())
    proposed = propose_missing_questions(corpus, seed=1).questions
    known = knowledge_from(corpus, QUALITY, seed=1)
    checked = replace(
        corpus,
        questions=tuple(each.question for each in proposed),
        planted=propose_missing_planted(corpus, seed=1).planted,
    )
    assert known.truths == {}
    assert accepted(checked, "content-document", "careful", known) == 1.0
    assert accepted(checked, "fluency", "careful", known) >= 0.9


def test_careful_ratings_follow_the_quality_of_systems(sample: Corpus):
    sums: Counter[str] = Counter()
    for task, _, answer, _ in work(sample, "overall", "careful"):
        (entry,) = task.entries
        sums[entry.systems[0]] += answer.items[entry.key].ratings["overall"].value or 0
    assert [system for system, _ in sums.most_common()] == list(QUALITY)


def test_careful_choices_prefer_the_better_summary(sample: Corpus):
    known = knowledge_from(sample, QUALITY, seed=1)
    texts = {(s.document, s.system): s.text for s in sample.summaries}
    right = total = 0
    for task, _, answer, _ in work(sample, "pairwise", "careful", known):
        for entry in task.entries:
            left, other = (known.quality_of(texts[entry.document, s]) for s in entry.systems)
            for choice in answer.items[entry.key].choices.values():
                right += (choice == "left") == (left > other)
                total += 1
    assert total == 84 * 6
    assert right / total > 0.85


def test_careless_work_is_too_fast_and_careful_work_is_not(sample: Corpus):
    hasty = [verdict.flags for *_, verdict in work(sample, "likert", "careless")]
    assert all("too_fast" in {flag.kind for flag in flags} for flags in hasty)
    for _, sent, answer, _ in work(sample, "likert", "careful"):
        assert sent.seconds == answer.seconds
        assert sent.seconds == pytest.approx(sum(i.seconds or 0 for i in answer.items.values()))


def test_adversarial_annotators_draw_straight_lines_or_alternate(sample: Corpus):
    sides = {
        frozenset(
            Counter(
                given.value for item in answer.items.values() for given in item.ratings.values()
            )
        )
        for _, _, answer, _ in work(sample, "quality", "adversarial")
    }
    assert {len(values) for values in sides} == {1, 2}


def test_highlights_keep_the_budget_and_differ_by_style(sample: Corpus):
    def marked(style: Style) -> list[int]:
        return [
            len(Sheet(sample.document(task.entries[0].document or "").text, 30,
                      answer.items["1"].highlights or ()).words())
            for task, _, answer, _ in work(sample, "highlight", style)
        ]  # fmt: skip

    assert all(20 <= count <= 30 for count in marked("careful"))
    assert set(marked("adversarial")) == {30}
    assert max(marked("careless")) <= 3


def test_the_seed_the_annotator_and_the_task_decide(sample: Corpus):
    protocol = get_protocol("likert")
    items = items_from(sample, protocol)
    slot = make_slots(items.items, protocol, seed=1)[0]
    sent = payload(assemble(slot, "ann", items.by_id(), protocol, seed=1), protocol, sample)
    known = knowledge_from(sample, QUALITY, seed=1)

    def answer(seed: int, annotator: str) -> Simulated:
        return simulate(sent, "noisy", known, seed=seed, annotator=annotator)

    assert answer(1, "ann") == answer(1, "ann")
    assert answer(1, "ann") != answer(2, "ann")
    assert answer(1, "ann") != answer(1, "bob")


def test_an_unknown_style_is_an_error():
    with pytest.raises(UsageError, match="no style of annotator 'lazy'"):
        simulate({"items": []}, "lazy", Knowledge(), seed=1)  # type: ignore[arg-type]


def test_a_text_is_fluent_as_far_as_its_neighbouring_words_are_ordinary():
    known = Knowledge(ordinary=frozenset({("the", "old"), ("old", "bridge")}))
    # 2 of 2 pairs; 1 of 2 pairs, squared; none.
    assert known.quality_of("The old bridge.") == 1.0
    assert known.quality_of("The old man.") == 0.25
    assert known.quality_of("Bridge old the.") == 0.0
