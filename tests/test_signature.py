"""Signatures: any value survives, old texts stay as they were, and objects can be made again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmark._version import __version__
from gistmark.errors import UsageError
from gistmark.metrics.catalogue import FIXED, METRICS, metric_from, metric_from_signature
from gistmark.options import Configured, option_types
from gistmark.signature import Signature, escape, joined, labelled, merged, split_at, unescape
from gistmark.summarizers.catalogue import SYSTEMS, system_from, system_from_signature

NAMES = st.text("abcdefgh-_", min_size=1).filter(lambda name: name != "v")
VALUES = st.text(max_size=12) | st.text(r"\|:,=ab ", max_size=8)


@given(st.builds(Signature, VALUES, VALUES, st.dictionaries(NAMES, VALUES, max_size=4)))
def test_a_signature_is_read_back_as_it_was(signature: Signature):
    assert Signature.parse(str(signature)) == signature
    assert list(Signature.parse(str(signature)).fields) == list(signature.fields)


@given(st.lists(VALUES, min_size=1, max_size=5), st.sampled_from("|:,="))
def test_escaped_values_are_split_where_they_were_joined(values: list[str], mark: str):
    parts = split_at(mark, mark.join(map(escape, values)))
    assert [unescape(part) for part in parts] == values


@pytest.mark.parametrize(
    ("value", "text"),
    [("plain-1.2_x/y@z+w", "plain-1.2_x/y@z+w"), ("a|b:c,d=e", r"a\|b\:c\,d\=e"), ("\\", "\\\\")],
)
def test_only_what_has_a_meaning_is_escaped(value: str, text: str):
    assert escape(value) == text
    assert unescape(text) == value


def test_a_backslash_before_anything_else_is_itself():
    assert unescape(r"C:\models\bert") == r"C:\models\bert"


def test_texts_from_before_there_was_any_escaping_are_read():
    signature = Signature.parse("abstractive|v:0.1.0|beams:1|prompt:Tell: what, if x=1?")
    assert signature.fields == {"beams": "1", "prompt": "Tell: what, if x=1?"}


@pytest.mark.parametrize("text", ["", "unknown", "rouge|stem:yes", "rouge|v:1|new"])
def test_what_is_no_signature_is_an_error(text: str):
    with pytest.raises(UsageError, match="is not a signature"):
        Signature.parse(text)


def test_what_differs_without_a_language_in_it_is_told_by_language():
    signatures = {"de": Signature("m", "1", {"idf": "aa"}), "en": Signature("m", "1", {"idf": "b"})}
    assert str(joined(signatures)) == "m|v:1|idf:aa+b|lang:de+en"


def test_signatures_of_parts_are_merged_field_by_field():
    texts = ["a|v:1|x:2|y:3", "a|v:1|x:4|y:3", "a|v:1|x:2|y:3"]
    assert str(merged(map(Signature.parse, texts))) == "a|v:1|x:2+4|y:3"


def test_changed_fields_stay_where_they_are_and_new_ones_are_last():
    signature = Signature("a", "1", {"model": "x", "seed": "1"})
    assert str(signature.with_fields({"way": "causal", "model": "y"})) == (
        "a|v:1|model:y|seed:1|way:causal"
    )


def values_of(name: str, hint: Any, least: int) -> st.SearchStrategy[Any]:
    """Any value that an option of this type can have; files and languages are chosen from a few."""
    chosen: dict[str, tuple[str, ...]] = {
        "idf": ("no", "corpus", "texts|a,b=c:d.txt"),
        "baseline": ("no", "base|a,b=c:d.csv"),
        "lang": ("en", "de", "zh"),
    }
    if name in chosen:
        return st.sampled_from(chosen[name])
    if isinstance(hint, UnionType):
        inner = next(kind for kind in get_args(hint) if kind is not type(None))
        return st.none() | values_of(name, inner, least)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(least, 10**6)
    if hint is float:
        return st.floats(least, least + 1)
    if name in ("model", "vectors"):
        # A name with a slash is a path or a hub's, of which a signature may show the end alone.
        return VALUES.filter(lambda text: "/" not in text and text not in ("", ".", ".."))
    return VALUES


def made_of(
    kind: type[Configured], fixed: dict[str, Any], data: st.DataObject
) -> Configured | None:
    """A metric or system with options of any kind; None where they do not go together."""
    least = {item.name: item.metadata.get("least", 0) for item in dataclasses.fields(kind.Options)}
    options = {
        name: data.draw(values_of(name, hint, least[name]), label=name)
        for name, hint in option_types(kind.Options).items()
        if name not in fixed
    }
    try:
        return kind(kind.Options(**fixed, **options))
    except UsageError:
        return None


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("files")
    (folder / "texts|a,b=c:d.txt").write_text("a text\n", encoding="utf-8")
    (folder / "base|a,b=c:d.csv").write_text("LAYER,P,R,F\n5,0,0,0\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", METRICS.builtin)
@settings(max_examples=20)
@given(data=st.data())
def test_a_metric_can_be_made_again_from_its_signature(name: str, data: st.DataObject):
    made = made_of(METRICS.get(name), dict(FIXED.get(name, {})), data)
    if made is None:
        return
    again = metric_from_signature(made.signature)
    assert type(again) is type(made)
    assert again.options == made.options


@pytest.mark.parametrize("name", SYSTEMS.builtin)
@settings(max_examples=20)
@given(data=st.data())
def test_a_system_can_be_made_again_from_its_signature(name: str, data: st.DataObject):
    made = made_of(SYSTEMS.get(name), {}, data)
    if made is None:
        return
    again = system_from_signature(f"{made.signature}|max-chars:600")
    assert type(again) is type(made)
    assert again.options == made.options
    assert again.signature == made.signature


@pytest.mark.parametrize("name", METRICS.builtin)
def test_every_metric_as_it_is_usual_can_be_made_again(name: str):
    metric = metric_from(name)
    assert metric_from_signature(metric.signature).signature == metric.signature


def test_a_family_that_nobody_knows_is_an_error_with_the_known_ones():
    with pytest.raises(UsageError, match=r"no metric with the signature 'rogue'.*rouge"):
        metric_from_signature("rogue|v:1")


def test_an_option_of_the_command_line_may_hold_a_comma():
    metric = metric_from(r"blanc-help:sep=\, and so on\: ,gap=6")
    assert (metric.options.sep, metric.options.gap) == (", and so on:", 6)
    assert r"|sep:\, and so on\:|" in metric.signature
    system = system_from(r"abstractive:prompt=Tell briefly\, what is new\=good:,beams=2")
    assert system.options.prompt == "Tell briefly, what is new=good:"


def test_a_comma_that_splits_a_value_is_explained():
    with pytest.raises(UsageError, match=r"not 'please'; a comma in a value is written \\,\.$"):
        system_from("abstractive:prompt=Summarise this, please")


def test_the_text_of_a_signature_without_special_characters_is_as_it_ever_was():
    assert metric_from("blanc-help:sep=line,filler=-").signature == (
        f"blanc-help|v:{__version__}|cut:100|filler:-|follow:100|gap:2|guard:none|lead:2|least:4"
        "|masks:1|measure:relative|model:SmolLM2-135M-Instruct@bcc81830d10c|precision:full"
        "|rule:package|sep:line|way:causal"
    )


class TestLabels:
    """What a metric is called beside its numbers: nobody may take one model's for another's."""

    @pytest.mark.parametrize(
        ("metric", "label"),
        [
            ("bertscore", "bertscore (all-MiniLM-L6-v2)"),
            ("bertscore:idf=corpus", "bertscore:idf=corpus (all-MiniLM-L6-v2)"),
            ("blanc-help", "blanc-help (SmolLM2-135M-Instruct)"),
            ("wmd", "wmd (glove-6b-50d)"),
            ("rouge1", "rouge1"),
        ],
    )
    def test_the_model_stands_beside_the_name(self, metric: str, label: str):
        assert labelled(metric, metric_from(metric).signature) == label

    @pytest.mark.parametrize(
        "metric",
        ["bertscore:model=roberta-large", "bertscore:model=org/tiny", r"bertscore:model=a\,b"],
    )
    def test_a_model_that_was_asked_for_by_name_is_not_named_twice(self, metric: str):
        assert labelled(metric, metric_from(metric).signature) == metric

    def test_a_model_called_like_a_part_of_the_metric_is_named(self):
        assert labelled("bertscore", "bertscore|v:1|model:bert@missing") == "bertscore (bert)"

    @pytest.mark.parametrize("signature", [None, "unknown", "theirs|model"])
    def test_scores_without_a_signature_keep_their_name(self, signature: str | None):
        assert labelled("bertscore", signature) == "bertscore"

    @pytest.mark.parametrize("name", METRICS.builtin)
    def test_every_metric_with_a_model_tells_it_in_its_signature(self, name: str):
        metric = metric_from(name)
        chosen = [getattr(metric.options, key, None) for key in ("model", "vectors")]
        assert Signature.parse(metric.signature).model == next(filter(None, chosen), None)
