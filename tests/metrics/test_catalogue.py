"""Names, groups and specs, and what the errors say."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_origin

import pytest

from gistmark import __version__
from gistmark.errors import UsageError
from gistmark.metrics.catalogue import FIXED, GROUPS, METRICS, metric_from, metrics_from
from gistmark.metrics.metric import Metric
from gistmark.models import EMBEDDED
from gistmark.options import option_types, parse_option, written

TOLD = {"way", "weights"}  # what a signature tells beyond the options, as it follows from them
WORDS = {"tok": "rouge_score", "norm": "none", "stop": "no", "stem": "no"}
COMPARED = {**WORDS, "against": "references", "refs": "max"}
COUNTED = {**WORDS, "tok": "words"}
HIGHLIGHTED = {"tok": "space", "norm": "none", "stem": "no"}
DIVERGED = {**COMPARED, "tok": "words", "against": "document", "stop": "yes", "stem": "yes"}
LINES = {**COMPARED, "lines": "newline"}

SIGNATURES: dict[str, tuple[str, dict[str, str]]] = {
    **{f"rouge{n}": ("rouge", {**COMPARED, "n": str(n)}) for n in (1, 2, 3, 4)},
    "rougeL": ("rougeL", COMPARED),
    "rougeLsum": ("rougeLsum", LINES),
    "rougeW": ("rougeW", {**LINES, "weight": "1.2", "base": "rouge155"}),
    "rougeS4": ("rougeS", {**COMPARED, "gap": "4", "unigrams": "no"}),
    "rougeSU4": ("rougeS", {**COMPARED, "gap": "4", "unigrams": "yes"}),
    **{
        f"hrouge{n}": (
            "hrouge",
            {
                **HIGHLIGHTED,
                "n": str(n),
                "beta": "highlights",
                "budget": "data",
                "annotators": "data",
            },
        )
        for n in (1, 2, 3, 4)
    },
    "highlight-overlap": ("highlight-overlap", {**HIGHLIGHTED, "least": "1"}),
    "kl": ("kl", {**DIVERGED, "smooth": "0.0005"}),
    "kl-reverse": ("kl-reverse", {**DIVERGED, "smooth": "0.0005"}),
    "js": ("js", {**DIVERGED, "smooth": "0"}),
    "js-kl": ("js-kl", {**DIVERGED, "smooth": "0.0005"}),
    "chars": ("chars", {}),
    "words": ("words", COUNTED),
    "sentences": ("sentences", {}),
    "compression": ("compression", {}),
    "coverage": ("coverage", COUNTED),
    "density": ("density", COUNTED),
    **{f"novel{n}": ("novel", {**COUNTED, "n": str(n)}) for n in (1, 2, 3, 4)},
    **{f"repeated{n}": ("repeated", {**COUNTED, "n": str(n)}) for n in (1, 2, 3, 4)},
}


class TestSignatures:
    """A signature holds the family, the version and every option."""

    @pytest.mark.parametrize("name", SIGNATURES)
    def test_the_signature_of_every_metric_is_what_it_was(self, name: str) -> None:
        family, options = SIGNATURES[name]
        parts = [f"{key}:{value}" for key, value in sorted(options.items())]
        assert metric_from(name).signature == "|".join([family, f"v:{__version__}", *parts])

    def test_every_lexical_metric_has_its_signature_checked_here(self) -> None:
        assert set(SIGNATURES) == set(GROUPS["lexical"])

    def test_the_example_of_the_design(self) -> None:
        signature = metric_from("rouge1:stem=yes").signature
        assert signature == (
            f"rouge|v:{__version__}|against:references|n:1|norm:none|refs:max|stem:yes|stop:no"
            "|tok:rouge_score"
        )

    @pytest.mark.parametrize("name", METRICS.names())
    def test_every_option_is_in_the_signature(self, name: str) -> None:
        metric = metric_from(name)
        written_parts = dict(part.split(":", 1) for part in metric.signature.split("|")[1:])
        options = set(option_types(metric.Options))
        implied = {
            item.name for item in dataclasses.fields(metric.Options) if item.metadata.get("implied")
        }
        assert set(written_parts) - (TOLD - options) - implied == {"v"} | options - implied
        if "stemmer" in options:
            stemmed = metric_from(f"{name}:stem=yes,stemmer=rouge155").signature
            assert "stemmer:rouge155" in stemmed.split("|")
        if "lang" in options:
            assert "lang:de" in metric_from(f"{name}:lang=de").signature.split("|")

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (True, "yes"),
            (False, "no"),
            (None, "data"),
            (3, "3"),
            (1.2, "1.2"),
            (2.0, "2"),
            (0.0005, "0.0005"),
            (1 / 3, "0.3333333333333333"),
            (1.23456789, "1.23456789"),
            (1e-9, "1e-09"),
            ("max", "max"),
        ],
    )
    def test_values_are_written_so_that_they_can_be_read_back(
        self, value: object, text: str
    ) -> None:
        assert written(value) == text

    def test_options_that_differ_a_little_have_different_signatures(self) -> None:
        one, other = metric_from("kl:smooth=0.1234567"), metric_from("kl:smooth=0.1234568")
        assert one.signature != other.signature

    @pytest.mark.parametrize("name", METRICS.names())
    def test_a_signature_can_be_read_back_as_a_spec(self, name: str) -> None:
        metric = metric_from(name)
        parts = dict(part.split(":", 1) for part in metric.signature.split("|")[1:])
        settings = [
            f"{key}={value}"
            for key, value in parts.items()
            if key in option_types(metric.Options).keys() - FIXED.get(name, {}).keys()
        ]
        again = metric_from(f"{name}:{','.join(settings)}")
        assert again.signature == metric.signature
        if "layer" not in parts:  # the signature tells the layer that 0, "the usual one", means
            assert again.options == metric.options


class TestSpecs:
    """`name:option=value,...`"""

    def test_options_are_set(self) -> None:
        metric = metric_from("rougeL:stem=yes,refs=mean")
        assert metric.options.stem is True
        assert metric.options.refs == "mean"
        assert metric.options.tok == "rouge_score"

    @pytest.mark.parametrize("spec", ["rougeL", "rougeL:", "rougeL: stem=no , refs=max ,"])
    def test_spaces_and_stray_commas_do_no_harm(self, spec: str) -> None:
        assert metric_from(spec).options == METRICS.get("rougeL").Options()

    @pytest.mark.parametrize("text", ["yes", "true", "1", "Yes", "TRUE"])
    def test_ways_to_say_yes(self, text: str) -> None:
        assert metric_from(f"rouge1:stem={text}").options.stem is True

    @pytest.mark.parametrize("text", ["no", "false", "0", "No"])
    def test_ways_to_say_no(self, text: str) -> None:
        assert metric_from(f"js:stem={text}").options.stem is False

    @pytest.mark.parametrize("spec", ["rouge1:stem=", "blanc-help:sep= ", "blanc-shannon:sep=\n"])
    def test_a_value_that_is_blank_is_refused(self, spec: str) -> None:
        with pytest.raises(UsageError, match=r"is given no value; write \w+=VALUE"):
            metric_from(spec)

    def test_a_value_may_be_left_to_the_data(self) -> None:
        assert metric_from("hrouge1:budget=data").options.budget is None
        assert metric_from("hrouge1:budget=12").options.budget == 12

    @pytest.mark.parametrize(("name", "fixed"), list(FIXED.items()))
    def test_a_name_fixes_what_it_says(self, name: str, fixed: dict[str, Any]) -> None:
        options = metric_from(name).options
        assert {key: getattr(options, key) for key in fixed} == fixed

    def test_metrics_are_kept_by_the_name_as_asked(self) -> None:
        result = metrics_from(["rouge1", "rouge1:stem=yes", "rouge1"])
        assert list(result) == ["rouge1", "rouge1:stem=yes"]

    def test_every_call_makes_its_own_metric(self) -> None:
        assert metric_from("rouge1") is not metric_from("rouge1")


class TestErrors:
    """Every message says what is wrong and what would be right."""

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("rogue1", "There is no metric 'rogue1'. Did you mean 'rouge1'? Known: rouge1, "),
            ("rouge-1", "There is no metric 'rouge-1'. Did you mean 'rouge1'?"),
            ("", "There is no metric ''. Known: rouge1, "),
            ("zzz", "There is no metric 'zzz'. Known: rouge1, "),
            (
                "rouge1:stemm=yes",
                "There is no option of rouge1 named 'stemm'. Did you mean 'stem'? "
                "Known: lang, tok, norm, stop, stem, against, refs, stemmer.",
            ),
            # What the name fixes cannot be set.
            ("rouge1:n=2", "There is no option of rouge1 named 'n'. Known: lang, tok, "),
            ("rougeSU4:gap=2", "There is no option of rougeSU4 named 'gap'."),
            ("chars:tok=words", "chars has no options, so 'tok' cannot be set."),
            ("rouge1:stem", "rouge1: write options as name=value, not 'stem'."),
            ("rouge1:stem=maybe", "rouge1:stem: 'maybe' is neither yes nor no."),
            ("rouge1:refs=best", "rouge1:refs: 'best' is not one of max, mean, jackknife."),
            (
                "rouge1:tok=bert",
                "rouge1:tok: 'bert' is not one of rouge_score, rouge155, space, space-cased, "
                "words, chars.",
            ),
            ("hrouge1:budget=ten", "hrouge1:budget: 'ten' is not a whole number."),
            ("hrouge1:budget=1.5", "hrouge1:budget: '1.5' is not a whole number."),
            (
                "hrouge1:budget=0",
                "hrouge1:budget: 0 is out of range; it is a whole number of 1 or more.",
            ),
            (
                "hrouge1:annotators=0",
                "hrouge1:annotators: 0 is out of range; it is a whole number of 1 or more.",
            ),
            ("highlight-overlap:least=0", "highlight-overlap:least: 0 is out of range; "),
            ("kl:smooth=much", "kl:smooth: 'much' is not a number."),
            ("kl:smooth=-1", "kl:smooth: -1 is out of range; it is a number of 0 or more."),
            ("kl:smooth=nan", "kl:smooth: nan is out of range; it is a number of 0 or more."),
            ("kl:smooth=inf", "kl:smooth: inf is out of range; it is a number of 0 or more."),
            (
                "rougeW:weight=0.5",
                "rougeW:weight: 0.5 is out of range; it is a number of 1 or more.",
            ),
            (
                "rouge:stem=yes",
                "rouge stands for several metrics and takes no options; "
                "name the metrics one by one: rouge1, rouge2, ",
            ),
        ],
    )
    def test_a_wrong_spec_is_explained(self, spec: str, message: str) -> None:
        with pytest.raises(UsageError) as caught:
            metrics_from([spec])
        assert str(caught.value).startswith(message)
        assert str(caught.value).endswith(".")

    def test_groups_are_among_the_known_names(self) -> None:
        with pytest.raises(UsageError, match="default"):
            metric_from("unheard-of")

    @pytest.mark.parametrize("hint", [int, float, bool])
    def test_an_empty_value_is_an_error(self, hint: type) -> None:
        with pytest.raises(UsageError):
            parse_option("x", "", hint)

    def test_an_option_of_a_plugin_may_be_free_text(self) -> None:
        assert parse_option("x:model", "bert-base-uncased", str) == "bert-base-uncased"


class TestGroups:
    """Names that stand for several metrics."""

    @pytest.mark.parametrize("group", GROUPS)
    def test_every_member_of_a_group_is_a_metric(self, group: str) -> None:
        assert GROUPS[group]
        assert len(set(GROUPS[group])) == len(GROUPS[group])
        assert list(metrics_from([group])) == list(GROUPS[group])

    @pytest.mark.parametrize("group", GROUPS)
    def test_a_group_is_not_called_like_a_metric(self, group: str) -> None:
        assert group not in METRICS

    def test_every_metric_is_in_one_of_the_groups_by_what_it_works_on(self) -> None:
        kinds = ("lexical", "word-vectors", "neural")
        assert [name for kind in kinds for name in GROUPS[kind]] == [
            name for name in METRICS.builtin if name not in ("blanc-tune", "learnt", "judge")
        ]

    def test_the_neural_metrics_run_on_embedded_models(self) -> None:
        for metric in metrics_from(["neural"]).values():
            assert metric.options.model in EMBEDDED

    def test_the_lexical_metrics_need_no_model(self) -> None:
        for metric in metrics_from(["lexical"]).values():
            assert not {"model", "vectors"} & set(option_types(metric.Options))

    def test_the_reference_free_metrics_judge_by_the_document_alone(self) -> None:
        for metric in metrics_from(["reference-free"]).values():
            assert metric.needs == {"documents"}
            assert metric.better in ("higher", "lower")

    def test_groups_and_metrics_mix(self) -> None:
        assert list(metrics_from(["words", "rouge", "rouge1", "rouge1:stem=yes"])) == [
            "words",
            *GROUPS["rouge"],
            "rouge1:stem=yes",
        ]


class TestEveryMetric:
    """What the catalogue promises of each metric."""

    @pytest.mark.parametrize("name", METRICS.names())
    def test_it_says_what_it_measures(self, name: str) -> None:
        metric = metric_from(name)
        assert isinstance(metric, Metric)
        assert metric.about.endswith(".")
        assert len(metric.about) > 20
        assert type(metric).__doc__

    @pytest.mark.parametrize("name", METRICS.names())
    def test_every_option_has_a_help_text_and_a_readable_type(self, name: str) -> None:
        kind = METRICS.get(name)
        for option in dataclasses.fields(kind.Options):
            text = option.metadata.get("help", "")
            assert len(text) > 5, f"{name}:{option.name} has no help"
            assert not text.endswith("."), "help texts are phrases, which the CLI joins"
        for hint in option_types(kind.Options).values():
            assert hint in (int, float, bool, str) or get_args(hint) or get_origin(hint)

    @pytest.mark.parametrize("name", METRICS.names())
    def test_options_cannot_be_changed(self, name: str) -> None:
        options = metric_from(name).options
        for option in dataclasses.fields(options):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(options, option.name, "x")

    @pytest.mark.parametrize("name", METRICS.names())
    def test_its_main_part_is_one_of_its_parts(self, name: str) -> None:
        metric = metric_from(name)
        assert metric.main_part == ("f" if "f" in metric.parts else metric.parts[0])

    def test_names_come_from_gistmark(self) -> None:
        assert METRICS.source("rouge1") == "gistmark"
