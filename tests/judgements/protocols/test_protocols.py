"""The protocols that come with Gistmark: complete, consistent, as their papers have them;
translated.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gistmark.corpus.formats.datasets.emfos import DIMENSIONS
from gistmark.errors import UsageError
from gistmark.judgements import (
    PROTOCOLS,
    ProtocolError,
    Scale,
    configured,
    get_protocol,
    protocol_from,
    to_mapping,
    unchanged_texts,
)
from gistmark.judgements.protocols.settings import protocol_faults
from gistmark.papers.dip_sumeval import _LIKERT, _PAIRS

NAMES = tuple(PROTOCOLS)


def test_all_protocols_of_the_papers_are_there():
    assert NAMES[:11] == (
        "highlight", "content-highlight", "content-document", "content-reference", "fluency",
        "clarity", "likert", "quality", "overall", "pairwise", "error-spans",
    )  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_protocol_is_consistent_and_bears_its_own_name(name: str):
    protocol = get_protocol(name)
    assert protocol.name == name
    assert protocol_faults(protocol) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_protocol_survives_json(name: str):
    protocol = get_protocol(name)
    assert protocol_from(json.loads(json.dumps(to_mapping(protocol)))) == protocol


@pytest.mark.parametrize("name", NAMES)
def test_every_protocol_says_what_to_do(name: str):
    protocol = get_protocol(name)
    for text in (protocol.about, protocol.consent, protocol.instructions, protocol.example):
        assert text.rstrip("”).").strip()
        assert text[-1] in ".”)"
    for dimension in protocol.dimensions:
        assert dimension.question[-1] in ".?"
        assert dimension.guidance[-1] == "." or dimension.guidance[-1] == "?"


@pytest.mark.parametrize(
    ("name", "judges", "items", "low", "high"),
    [
        ("content-highlight", 3, 1, 1, 100),
        ("content-document", 3, 1, 1, 100),
        ("content-reference", 3, 1, 1, 100),
        ("fluency", 3, 5, 1, 100),
        ("clarity", 3, 5, 1, 100),
        ("likert", 4, 1, 1, 5),
        ("quality", 2, 1, 1, 5),
        ("overall", 10, 1, 0, 4),
    ],
)
def test_judges_items_and_scales_are_those_of_the_papers(
    name: str, judges: int, items: int, low: int, high: int
):
    protocol = get_protocol(name)
    scale = protocol.scale_of(protocol.dimensions[0].name)
    assert (protocol.judges, protocol.items_per_task) == (judges, items)
    assert (scale.low, scale.high, scale.start) == (low, high, None)


def test_highlights_have_a_budget_of_thirty_words_and_ten_judges():
    protocol = get_protocol("highlight")
    assert (protocol.budget, protocol.judges, protocol.checks["question"]) == (30, 10, "paid")


def test_pairs_get_seven_votes():
    assert get_protocol("pairwise").judges == 7


def test_the_dimensions_have_the_names_that_imported_data_have():
    def names(protocol: str) -> list[str]:
        return [dimension.name for dimension in get_protocol(protocol).dimensions]

    assert names("likert") == list(_LIKERT)
    assert sorted(names("pairwise")) == sorted(_PAIRS)
    assert names("quality") == list(DIMENSIONS.values())
    assert names("content-highlight") == ["recall", "precision"]


def test_only_likert_asks_for_confidence_and_weight():
    asking = [name for name in NAMES if get_protocol(name).confidence or get_protocol(name).weight]
    assert asking == ["likert"]
    assert isinstance(get_protocol("likert").confidence, Scale)
    assert isinstance(get_protocol("likert").weight, Scale)


def test_an_unknown_protocol_is_an_error_that_names_the_nearest():
    with pytest.raises(UsageError, match=r"no protocol 'fluent'\. Did you mean 'fluency'\?"):
        get_protocol("fluent")


def test_what_still_reads_as_in_the_preset_is_named():
    overall = get_protocol("overall")
    assert "instructions" in unchanged_texts(overall)
    german = configured(overall, {"instructions": "Lies die Zusammenfassung."})
    assert "instructions" not in unchanged_texts(german)
    assert "questions" in unchanged_texts(german)


def test_one_question_of_many_that_is_unchanged_counts():
    likert = get_protocol("likert")
    first, *others = likert.dimensions
    changed = configured(
        likert, {"dimensions": {each.name: {"question": "Wie gut?"} for each in others}}
    )
    assert "questions" in unchanged_texts(changed)
    assert "questions" not in unchanged_texts(
        configured(changed, {"dimensions": {first.name: {"question": "Wie gut?"}}})
    )


def test_the_texts_of_blocks_count_too():
    errors = get_protocol("error-spans")
    assert "texts of the blocks" in unchanged_texts(errors)
    blocks = [block for block in to_mapping(errors)["blocks"] if block["type"] != "spans"]
    assert "texts of the blocks" not in unchanged_texts(configured(errors, {"blocks": blocks}))


def test_a_protocol_of_ones_own_has_none():
    assert unchanged_texts(replace(get_protocol("overall"), name="my-own")) == ()


@pytest.mark.parametrize("name", NAMES)
def test_no_preset_claims_the_words_of_its_paper(name: str):
    preset = get_protocol(name)
    assert preset.wording == "own"
    changed = configured(preset, {"wording": "original"})
    assert to_mapping(changed)["wording"] == "original"
    assert changed.about_wording != preset.about_wording


def test_wording_that_is_neither_is_a_fault():
    with pytest.raises(ProtocolError, match="'own' or 'original', but is the text 'theirs'"):
        configured(get_protocol("overall"), {"wording": "theirs"})
