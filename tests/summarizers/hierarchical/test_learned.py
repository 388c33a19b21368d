"""What the systems that learn share: training, signatures, and what cannot be trained."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable

import pytest

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Source, Summarizer, system_from

LEARNING = ("H1", "H2", "H4", "H5")


@pytest.mark.parametrize("name", LEARNING)
def test_the_signature_tells_what_relevance_comes_from(
    name: str, taught: Callable[[str], Summarizer], lessons: list[Source]
):
    untaught = system_from(name)
    assert untaught.learns
    assert untaught.signature.endswith("|relevance:unsupervised")
    signature = taught(name).signature
    assert signature.startswith(untaught.signature.removesuffix("unsupervised") + "trained-")
    assert len(signature.rpartition("-")[2]) == 8
    assert untaught.signature.endswith("|relevance:unsupervised"), "training changed the system"


def test_other_lessons_give_another_signature(lessons: list[Source]):
    signatures = {system_from("H5").trained(part).signature for part in (lessons, lessons[1:])}
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


def test_h3_has_nothing_to_train(lessons: list[Source]):
    system = system_from("H3")
    assert not system.learns
    assert system.trained(lessons) is system


@pytest.mark.parametrize("name", LEARNING)
def test_a_trained_system_can_be_sent_to_another_process(
    name: str, taught: Callable[[str], Summarizer], story: Source
):
    system = taught(name)
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
    name: str, package: str, lessons: list[Source], monkeypatch: pytest.MonkeyPatch
):
    for module in [module for module in sys.modules if module.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{package} .*gistmark\[neural\]"):
        system_from(name).trained(lessons)
