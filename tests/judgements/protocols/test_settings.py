"""Changing a protocol: what may be changed, and what is said when it does not fit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.judgements import (
    PROTOCOLS,
    Fault,
    ProtocolError,
    configured,
    get_protocol,
    protocol_from,
    to_mapping,
)


def faults(name: str, changes: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ProtocolError) as caught:
        configured(get_protocol(name), changes)
    return {fault.field: fault.message for fault in caught.value.faults}


def test_a_change_leaves_everything_else_as_it_was():
    before = get_protocol("fluency")
    after = configured(before, {"judges": 5, "consent": "I agree."})
    assert (after.judges, after.consent) == (5, "I agree.")
    assert configured(after, {"judges": 3, "consent": before.consent}) == before


def test_inner_settings_are_changed_one_by_one():
    after = configured(
        get_protocol("fluency"), {"checks": {"planted": "flag"}, "scale": {"high": 50}}
    )
    assert (after.checks["planted"], after.checks["too_fast"]) == ("flag", "flag")
    assert after.scale is not None
    assert (after.scale.low, after.scale.high) == (1, 50)


def test_a_dimension_is_changed_by_its_name():
    after = configured(get_protocol("quality"), {"dimensions": {"overall": {"guidance": "Hm."}}})
    assert after.dimension("overall").guidance == "Hm."
    assert after.dimension("overall").question == get_protocol("quality").dimensions[-1].question
    assert len(after.dimensions) == 6


def test_a_dimension_may_have_a_scale_of_its_own():
    own = {"form": "points", "low": 0, "high": 2, "labels": ["no", "partly", "yes"]}
    after = configured(get_protocol("quality"), {"dimensions": {"overall": {"scale": own}}})
    assert (after.scale_of("overall").high, after.scale_of("arrangement").high) == (2, 5)


def test_every_fault_is_told_at_once():
    result = faults("fluency", {"judges": 0, "editable": "yes", "checks": {"planted": "maybe"}})
    assert result == {
        "judges": "The field 'judges' must be at least 1, but is 0.",
        "editable": "The field 'editable' must be true or false, but is the text 'yes'.",
        "checks.planted": "The field 'checks.planted' must be 'off' or 'flag' or 'paid' or "
        "'reject', but is the text 'maybe'.",
    }


@pytest.mark.parametrize(
    ("name", "changes", "field", "message"),
    [
        ("fluency", {"nosuch": 1}, "nosuch", "is unknown; known: name, kind,"),
        ("fluency", {"checks": {"nosuch": "off"}}, "checks.nosuch", "is unknown"),
        ("fluency", {"judges": True}, "judges", "must be a whole number, but is true"),
        ("fluency", {"judges": 2.5}, "judges", "must be a whole number"),
        ("fluency", {"minimum_seconds": float("nan")}, "minimum_seconds", "a finite number"),
        ("fluency", {"minimum_seconds": -1}, "minimum_seconds", "must be at least 0, but is -1"),
        ("fluency", {"shows": ["picture"]}, "shows[0]", "must be 'document' or 'heat-map' or"),
        ("fluency", {"shows": "document"}, "shows", "must be a list"),
        ("fluency", {"shows": ["document"]}, "checks.planted", "must be off where more than"),
        ("fluency", {"scale": None}, "dimensions[0].scale", "neither 'fluency' nor the protocol"),
        ("fluency", {"scale": {"high": 1}}, "scale.high", "must be above low (1), but is 1"),
        ("fluency", {"scale": {"start": 200}}, "scale.start", "must be from 1 to 100, but is 200"),
        ("fluency", {"scale": {"labels": ["x"]}}, "scale.labels", "for each end (2) or none"),
        ("fluency", {"scale": {"form": "dial"}}, "scale.form", "'slider' or 'points'"),
        ("fluency", {"scale": 5}, "scale", "must be an object, but is the number 5"),
        ("fluency", {"checks": {"question": "flag"}}, "checks.question", "must be off: neither"),
        ("fluency", {"checks": {"no_highlights": "flag"}}, "checks.no_highlights", "in a rating"),
        ("fluency", {"minimum_seconds": 0}, "checks.too_fast", "or minimum_seconds above 0"),
        ("fluency", {"budget": 3}, "budget", "nothing is highlighted in a rating protocol"),
        ("fluency", {"dimensions": []}, "dimensions", "at least one dimension in a rating"),
        ("fluency", {"dimensions": [3]}, "dimensions[0]", "must be an object"),
        ("fluency", {"dimensions": {"speed": {}}}, "dimensions.speed", "known: fluency"),
        ("overall", {"scale": {"start": 2}}, "scale.start", "only a slider can have one"),
        ("overall", {"scale": {"high": 5}}, "scale.labels", "for each point (6) or none"),
        ("overall", {"scale": {"high": 40, "labels": []}}, "scale.high", "41 points; 21 are"),
        ("overall", {"checks": {"untouched": "flag"}}, "checks.untouched", "has no slider"),
        ("overall", {"shows": ["document", "heat-map"]}, "shows", "not both"),
        ("overall", {"shows": ["title", "title"]}, "shows", "names something twice"),
        ("highlight", {"budget": None}, "budget", "at least 1"),
        ("highlight", {"shows": ["title"]}, "shows", "must name 'document'"),
        ("highlight", {"shows": ["document", "reference"]}, "shows", "must not name 'reference'"),
        ("highlight", {"judge_references": True}, "judge_references", "must be false"),
        ("highlight", {"one_dimension_per_screen": True}, "one_dimension_per_screen", "no dim"),
        ("highlight", {"checks": {"straight_line": "flag"}}, "checks.straight_line", "highlight"),
        ("pairwise", {"scale": {"form": "points", "low": 1, "high": 5}}, "scale", "left out"),
        ("pairwise", {"checks": {"planted": "flag"}}, "checks.planted", "only summaries that are"),
    ],
)
def test_what_does_not_fit_is_refused_with_field_and_reason(
    name: str, changes: dict[str, Any], field: str, message: str
):
    result = faults(name, changes)
    assert message in result[field]
    assert result[field].endswith(".")


def test_two_dimensions_of_one_name_are_refused():
    dimension = {"name": "x", "question": "How?"}
    assert (
        "2 dimensions named 'x'" in faults("fluency", {"dimensions": [dimension] * 2})["dimensions"]
    )


def test_a_highlight_protocol_has_no_dimensions():
    dimension = {"name": "x", "question": "How?"}
    assert "must be empty" in faults("highlight", {"dimensions": [dimension]})["dimensions"]


def test_what_must_be_there_is_asked_for():
    with pytest.raises(ProtocolError) as caught:
        protocol_from({})
    assert [fault.field for fault in caught.value.faults] == ["name", "kind", "about"]
    assert isinstance(caught.value, UsageError)
    assert str(caught.value).splitlines()[0] == "The field 'name' is missing."


@pytest.mark.parametrize("wrong", [None, [], "fluency", 3])
def test_what_is_no_object_is_refused(wrong: Any):
    with pytest.raises(ProtocolError, match="What was sent must be an object"):
        protocol_from(wrong)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(
    st.sampled_from(tuple(PROTOCOLS)),
    st.dictionaries(st.sampled_from(tuple(to_mapping(get_protocol("likert")))), values),
)
def test_any_change_makes_a_protocol_that_survives_json_or_a_list_of_faults(
    name: str, changes: dict[str, Any]
):
    faults: tuple[Fault, ...] = ()
    try:
        protocol = configured(get_protocol(name), changes)
    except ProtocolError as error:
        faults, protocol = error.faults, get_protocol(name)
    assert all(fault.message.endswith(".") for fault in faults)
    assert protocol_from(to_mapping(protocol)) == protocol
