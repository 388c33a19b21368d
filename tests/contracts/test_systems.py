"""What every system promises, whichever it is; a system joins by being in the catalogue."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from gistmark.corpus import load, sample_folder
from gistmark.corpus.formats import FORMATS
from gistmark.errors import GistmarkError
from gistmark.records import Document
from gistmark.summarizers import SYSTEMS, Limit, Outcome, Source, Summarizer, system_from
from gistmark.summarizers.run import sources_of
from gistmark.text import sentences
from tiny_writers import chat_model

WRITERS = ("PG-MMR", "abstractive")
"""They write word by word, so here a tiny model writes."""
SLOW = {"PG-MMR": 1, "abstractive": 2, "H2": 2, "H3": 2}
"""Systems that run a model, and how many documents of a corpus they get."""

STORY = (
    "The swing bridge at Port Ennick closed on Tuesday. A painter had found a crack in the steel. "
    "Engineers say that it will stay shut for eleven weeks. Ferries will run every quarter of an "
    "hour. Shopkeepers on the quay fear a lean spring. The county promised to help them."
)
LONG_SENTENCE = "The bridge " + "and the ferry and the quay " * 60 + "are shut."
REFERENCE = "The bridge is shut because of a crack."

OTHER_LIMITS = {
    "120 characters": Limit(chars=120),
    "40 words": Limit(chars=None, words=40),
    "2 sentences": Limit(chars=None, sentences=2),
    "all three": Limit(chars=300, words=45, sentences=3),
}

TEXTS: dict[str, tuple[str, ...]] = {
    "a story": (STORY,),
    "no texts": (),
    "empty": ("",),
    "blank": (" \n\t ", ""),
    "one word": ("Bridge",),
    "one sentence longer than the limit": (LONG_SENTENCE,),
    "all sentences longer than the limit": (LONG_SENTENCE, f"Yesterday {LONG_SENTENCE}"),
    "only artefacts": ("Copyright 2019 Example. Skip to content. Advertisement. Share on X.",),
    "no sentence enders": ("the bridge is shut and the ferry runs " * 40,),
    "one line without spaces": ("x" * 1_000_000,),
    "emoji only": ("👍 👨\u200d👩\u200d👧 👍👍",),
    "Japanese": ("橋に亀裂が見つかり、閉鎖された。技術者は十一週間かかると言う。渡し船が走る。",),
    "Devanagari": ("दरार के कारण पुल बंद है। नाव हर घंटे चलेगी। दुकानदार चिंतित हैं।",),
    "Arabic": ("الجسر مغلق. العبارة تعمل كل ساعة. أصحاب المتاجر قلقون.",),
    "stop words only": ("It is the same. They were those. That was it.",),
    "several texts": (STORY, "", "Ferries run now. The old bridge is shut. It rained.", STORY),
    "the same sentence again and again": ("The bridge is shut. " * 50,),
    "odd characters": ("A\x00b \u2028c. \ud800 d\x1ce. \u212a\u0130 it is.",),
}


@pytest.fixture(scope="module", params=SYSTEMS.builtin)
def system(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Summarizer:
    name = request.param
    if name not in WRITERS:
        return system_from(name)
    model = chat_model(tmp_path_factory.mktemp("tiny"))
    return system_from(f"{name}:model={model}")


def source_of(*texts: str) -> Source:
    return Source(Document("d", texts, lang="en"), (REFERENCE,))


@cache
def sample() -> list[Source]:
    return sources_of(load(sample_folder()))


def practical(system: Summarizer, sources: list[Source]) -> list[Source]:
    """As many of the sources as the system gets through in good time."""
    return sources[: SLOW.get(system.name)]


def check(system: Summarizer, source: Source, limit: Limit, outcome: Outcome) -> None:
    """What holds for every summary."""
    text = outcome.text
    assert limit.holds(texts_of(outcome) if system.extractive else sentences(text))
    assert limit.chars is None or len(text) <= limit.chars
    assert text == text.strip()
    assert bool(text) or outcome.note, "an empty summary says why"
    if system.extractive:
        check_sentences(outcome, source)


def texts_of(outcome: Outcome) -> list[str]:
    return [sentence.text for sentence in outcome.sentences]


def check_sentences(outcome: Outcome, source: Source) -> None:
    """The summary is made of sentences of the source, none twice, and tells where they stand."""
    document = source.document
    for sentence in outcome.sentences:
        assert document.text[sentence.start : sentence.end] == sentence.text
        assert sentence.text in document.texts[sentence.source]
    assert outcome.text == " ".join(texts_of(outcome))
    wordings = [" ".join(text.casefold().split()) for text in texts_of(outcome)]
    assert len(set(wordings)) == len(wordings)


@pytest.fixture(scope="module")
def outcomes(system: Summarizer) -> list[Outcome]:
    """The summaries of the sample."""
    return [system.summarize(source, Limit()) for source in practical(system, sample())]


def test_every_summary_of_the_sample_is_sound(system: Summarizer, outcomes: list[Outcome]) -> None:
    for source, outcome in zip(practical(system, sample()), outcomes, strict=True):
        check(system, source, Limit(), outcome)
        assert outcome.text


@pytest.mark.parametrize("limit", OTHER_LIMITS.values(), ids=OTHER_LIMITS)
def test_every_kind_of_limit_holds(system: Summarizer, limit: Limit) -> None:
    for source in practical(system, sample()[:3]):
        outcome = system.summarize(source, limit)
        check(system, source, limit, outcome)
        assert outcome.text


@pytest.fixture(scope="session")
def highres(paper_data: Path) -> list[Source]:
    few = None if os.environ.get("GISTMARK_EXAMPLES") == "many" else 12
    return sources_of(FORMATS.get("highres").read(paper_data / "highres"))[:few]


@pytest.mark.papers
def test_every_summary_of_highres_is_sound(system: Summarizer, highres: list[Source]) -> None:
    for source in practical(system, highres):
        outcome = system.summarize(source, Limit())
        check(system, source, Limit(), outcome)
        assert outcome.text


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_odd_texts_have_a_defined_answer(system: Summarizer, texts: tuple[str, ...]) -> None:
    source, limit = source_of(*texts), Limit(chars=120)
    outcome = system.summarize(source, limit)
    check(system, source, limit, outcome)
    if not "".join(texts).strip():
        assert outcome.text == ""
    elif system.extractive:
        assert outcome.text, "only a writer may find nothing to say"


def test_a_limit_of_nothing_leaves_nothing(system: Summarizer) -> None:
    for limit in (Limit(chars=0), Limit(words=0), Limit(sentences=0)):
        outcome = system.summarize(source_of(STORY), limit)
        assert outcome.text == ""
        assert outcome.note


def test_the_same_comes_out_again_whatever_the_order_of_the_documents(
    system: Summarizer, outcomes: list[Outcome]
) -> None:
    fresh = type(system)(system.options)
    some = list(zip(practical(system, sample()), outcomes, strict=True))[:5]
    for source, outcome in some[::-1]:
        assert fresh.summarize(source, Limit()) == outcome


def test_a_seed_is_part_of_the_signature(system: Summarizer) -> None:
    if not hasattr(system.options, "seed"):
        pytest.skip("nothing in it is random")
    assert system.options.seed == 0
    assert "|seed:7" in system_from(f"{system.name}:seed=7").signature


def test_references_and_highlights_are_for_the_oracle_alone(
    system: Summarizer, outcomes: list[Outcome]
) -> None:
    alone = Source(sample()[0].document)
    if system.name == "Oracle":
        with pytest.raises(GistmarkError, match="needs references or highlights"):
            system.summarize(alone, Limit())
    else:
        assert system.summarize(alone, Limit()) == outcomes[0]


def test_it_is_described_in_a_sentence(system: Summarizer) -> None:
    assert system.about.endswith(".")
    assert len(system.about.split()) >= 4
    assert system.name in SYSTEMS


def test_the_signature_names_the_version_and_stays_the_same(system: Summarizer) -> None:
    name, version, *options = system.signature.split("|")
    assert name == system.name
    assert version.startswith("v:")
    assert all(key and value for key, _, value in (part.partition(":") for part in options))
    assert type(system)(system.options).signature == system.signature
