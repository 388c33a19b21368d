"""Labels worked by hand, training, and signatures of the systems that learn."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.records import Document, Highlight
from gistmark.summarizers import Limit, Source, Summarizer, system_from
from gistmark.summarizers.hierarchical.learning import digest, example_from, relevant_counts

LEARNING = ("H1", "H2", "H4", "H5")


@pytest.mark.parametrize("name", LEARNING)
def test_the_signature_tells_what_relevance_comes_from(
    name: str, trained_system: Callable[[str], Summarizer], examples: list[Source]
):
    untrained = system_from(name)
    assert untrained.learns
    assert untrained.signature.endswith("|relevance:unsupervised")
    signature = trained_system(name).signature
    assert signature.startswith(untrained.signature.removesuffix("unsupervised") + "trained-")
    assert len(signature.rpartition("-")[2]) == 8
    assert untrained.signature.endswith("|relevance:unsupervised"), "training changed the system"


def test_other_lessons_give_another_signature(examples: list[Source]):
    signatures = {system_from("H5").trained(part).signature for part in (examples, examples[1:])}
    assert len(signatures) == 2


def test_models_stand_in_the_signature_with_their_hash():
    assert "|vectors:glove-6b-50d@" in system_from("H1").signature
    assert "|model:all-MiniLM-L6-v2@" in system_from("H2").signature
    assert "|model:all-MiniLM-L6-v2@" in system_from("H3").signature


def test_a_name_with_its_hash_means_the_same():
    signature = system_from("H2").signature
    shown = dict(part.split(":") for part in signature.split("|")[1:])
    again = system_from(f"H2:vectors={shown['vectors']},model={shown['model']}")
    assert again.signature == signature


@pytest.mark.parametrize("name", LEARNING)
def test_without_labels_there_is_nothing_to_learn(name: str):
    unlabelled = [Source(Document("d", ("A text. Another sentence.",)))]
    with pytest.raises(GistmarkError, match=f"{name} cannot be trained: none of the 1 documents"):
        system_from(name).trained(unlabelled)


def test_h3_has_nothing_to_train(examples: list[Source]):
    system = system_from("H3")
    assert not system.learns
    assert system.trained(examples) is system


@pytest.mark.parametrize("name", LEARNING)
def test_a_trained_system_can_be_sent_to_another_process(
    name: str, trained_system: Callable[[str], Summarizer], story: Source
):
    system = trained_system(name)
    copy = pickle.loads(pickle.dumps(system))
    assert copy.signature == system.signature
    assert copy.summarize(story, Limit(200)) == system.summarize(story, Limit(200))


@pytest.mark.parametrize("name", ["H1", "H2", "H3", "H4", "H5"])
def test_a_share_is_at_most_1(name: str):
    with pytest.raises(UsageError, match=f"{name}:share: 1.5 is not a number from 0 to 1"):
        system_from(f"{name}:share=1.5")


def test_unknown_vectors_are_an_error_that_names_them(story: Source):
    with pytest.raises(GistmarkError, match="There are no word vectors 'nowhere'"):
        system_from("H4:vectors=nowhere").summarize(story, Limit())


@pytest.mark.parametrize(("name", "package"), [("H1", "torch"), ("H4", "torch"), ("H5", "sklearn")])
def test_a_missing_package_is_an_error_that_names_the_extra(
    name: str, package: str, examples: list[Source], monkeypatch: pytest.MonkeyPatch
):
    for module in [module for module in sys.modules if module.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{package} .*gistmark\[neural\]"):
        system_from(name).trained(examples)


TEXT = "Cats sleep all day. Dogs bark."
DOCUMENT = Document("d", (TEXT,))


def mark(annotator: str, part: str) -> Highlight:
    start = TEXT.index(part)
    return Highlight("d", annotator, start, start + len(part))


def test_a_sentence_is_as_relevant_as_the_share_of_its_words_that_annotators_marked():
    example = example_from(Source(DOCUMENT, (), (mark("a", "Cats sleep"), mark("b", "Cats"))))
    # Of two annotators both marked the first word and one the second: (1 + 1/2 + 0 + 0) / 4.
    assert example.words[0].tolist() == [1, 0.5, 0, 0]
    assert example.relevance.tolist() == [0.375, 0]
    assert example.targets.tolist() == [1, 0]


def test_highlights_come_before_references():
    example = example_from(Source(DOCUMENT, ("Cats sleep.",), (mark("a", "Dogs bark"),)))
    assert example.relevance.tolist() == [0, 1]


def test_without_highlights_a_sentence_is_aligned_to_the_references():
    example = example_from(Source(DOCUMENT, ("The cat sleeps.", "A dog!")))
    # Content stems: cat sleep day | dog bark; references: cat sleep | dog.
    # First sentence: P = 2/3, R = 2/2, F = 4/5 and 0. Second: 0, and P = 1/2, R = 1, F = 2/3.
    assert example.relevance.tolist() == pytest.approx([0.4, 1 / 3])
    assert [labels.tolist() for labels in example.words] == [[0.5, 0.5, 0, 0], [0.5, 0]]


@pytest.mark.parametrize(
    "source",
    [
        Source(DOCUMENT),
        Source(DOCUMENT, ("Something else entirely.",)),
        Source(DOCUMENT, ("...",)),
        Source(Document("d", ("",)), ("Cats sleep.",)),
    ],
)
def test_what_people_gave_may_teach_nothing(source: Source):
    assert example_from(source) is None


def test_words_are_counted_by_the_relevance_of_their_sentences():
    example = example_from(Source(DOCUMENT, ("The cat sleeps.", "A dog!")))
    counts = relevant_counts([example])
    # Relative to the highest label the second sentence has (1/3) / (2/5) = 5/6.
    assert counts["cat"] == (1, 1)
    assert counts["bark"] == pytest.approx((5 / 6, 1))


def test_the_digest_tells_texts_and_labels_apart():
    one = example_from(Source(DOCUMENT, ("The cat sleeps.",)))
    other = example_from(Source(DOCUMENT, ("A dog!",)))
    renamed = replace(one, document=replace(DOCUMENT, id="e"))
    assert digest([one]) != digest([other])
    assert digest([one]) == digest([renamed])
    assert len(digest([one])) == 8
