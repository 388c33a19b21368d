"""ROUGE against what the Perl script ROUGE-1.5.5 printed (golden/make_rouge155.py)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gistmark
from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from, metric_from_signature
from gistmark.models import fetch
from gistmark.models.catalogue import WORDNET_EXCEPTIONS
from gistmark.text.stems import porter_stem, script_stems

GOLDEN = Path(__file__).parent / "golden"
NAMES = [
    "rouge1", "rouge2", "rouge3", "rouge4", "rougeLsum", "rougeW", "rougeS4", "rougeSU4",
]  # fmt: skip

Printed = list[str]


def load_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_rouge155", GOLDEN / "make_rouge155.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    result: dict[str, Any] = json.loads((GOLDEN / "rouge155.json").read_text(encoding="utf-8"))
    return result


@pytest.fixture(scope="module")
def texts(golden: dict[str, Any]) -> dict[str, dict[str, str]]:
    maker = load_maker()
    result: dict[str, dict[str, str]] = maker.read_sample()
    if maker.text_hash(result) != golden["texts"]:
        pytest.fail(
            "The sample's summaries, or how they are cut into sentences, have changed since the "
            "golden values were made: run tests/metrics/lexical/golden/make_rouge155.py again."
        )
    return result


def batch_of(entries: list[dict[str, Any]], texts: dict[str, dict[str, str]]) -> Batch:
    return Batch.of(
        [
            Item(
                texts[entry["document"]][entry["system"]],
                tuple(texts[entry["document"]][name] for name in entry["references"]),
            )
            for entry in entries
        ]
    )


def as_printed(precision: float, recall: float) -> Printed:
    """Five decimals; the script computes F from the rounded precision and recall."""
    p, r = f"{precision:.5f}", f"{recall:.5f}"
    total = 0.5 * float(p) + 0.5 * float(r)
    f = float(p) * float(r) / total if total > 0 else 0.0
    return [p, r, f"{f:.5f}"]


@pytest.mark.parametrize("name", NAMES)
def test_every_printed_value_of_the_sample_is_ours(
    name: str, golden: dict[str, Any], texts: dict[str, dict[str, str]]
) -> None:
    entries = golden["single"]
    assert len(entries) >= 60
    ours = metric_from(f"{name}:tok=rouge155").score(batch_of(entries, texts)).values
    for entry, (precision, recall, _) in zip(entries, ours.tolist(), strict=True):
        assert as_printed(precision, recall) == entry["printed"][name], entry


@pytest.fixture(scope="module")
def exceptions() -> Path:
    """WordNet's exceptions, 150 kB."""
    return fetch(WORDNET_EXCEPTIONS)[0]


@pytest.mark.usefixtures("exceptions")
@pytest.mark.parametrize("name", NAMES)
def test_every_printed_value_with_the_stems_of_the_script_is_ours(
    name: str, golden: dict[str, Any], texts: dict[str, dict[str, str]]
) -> None:
    batch = batch_of(golden["stemmed"], texts)
    spec = metric_from(f"{name}:tok=rouge155,stem=yes,stemmer=rouge155")
    for entry, (precision, recall, _) in zip(
        golden["stemmed"], spec.score(batch).values.tolist(), strict=True
    ):
        assert as_printed(precision, recall) == entry["printed"][name], entry


def test_made_up_words_are_stemmed_as_the_script_stems_them(golden: dict[str, Any]) -> None:
    assert len(golden["stems"]) == 2000
    assert [[word, porter_stem(word)] for word, _ in golden["stems"]] == golden["stems"]


def test_exceptions_go_before_rules_and_a_later_file_before_an_earlier(exceptions: Path) -> None:
    words = ["children", "went", "best", "agreement", "1990s"]
    assert script_stems(words, exceptions) == ["child", "go", "well", "agreem", "1990"]


def test_the_signature_names_the_exceptions_and_gives_the_metric_again() -> None:
    metric = metric_from("rouge1:stem=yes,stemmer=rouge155")
    assert f"|exceptions:{WORDNET_EXCEPTIONS}@" in metric.signature
    assert metric_from_signature(metric.signature).signature == metric.signature
    assert "stemmer" not in metric_from("rouge1:stem=yes").signature


@pytest.mark.parametrize("wrong", ["stemmer=rouge155", "stemmer=rouge155,stem=yes,lang=de"])
def test_the_stemmer_of_the_script_is_for_stems_of_english(wrong: str) -> None:
    with pytest.raises(UsageError, match="stemmer=rouge155 goes with stem=yes, and with English"):
        metric_from(f"rouge1:{wrong}")


def test_without_the_exceptions_values_are_missing_and_say_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GISTMARK_MODELS", str(tmp_path))
    pairs = gistmark.TextPairs(["women"], ["woman"])
    scores = gistmark.score(pairs, ["rouge1:stem=yes,stemmer=rouge155"], cache=False)
    (column,) = scores.columns.values()
    assert "gistmark models get wordnet-exceptions" in column.reasons[0]


@pytest.mark.parametrize(
    ("line", "told"), [(b"went\n", "line 1: expected a word"), (b"\xff x\n", "cannot be read")]
)
def test_a_spoilt_list_of_exceptions_is_told(tmp_path: Path, line: bytes, told: str) -> None:
    (tmp_path / "adj.exc").write_bytes(line)
    with pytest.raises(GistmarkError, match=rf"adj\.exc.*{told}"):
        script_stems(["went"], tmp_path)


@pytest.mark.parametrize("name", [*NAMES, "rougeW:weight=1.5", "rougeW:weight=2"])
def test_every_printed_value_of_random_letters_is_ours(name: str, golden: dict[str, Any]) -> None:
    """Where the script prints zeros for want of n-grams in the reference, ours is missing."""
    entries = golden["letters"]
    batch = Batch.of([Item(entry["summary"], (entry["reference"],)) for entry in entries])
    ours = metric_from(name).score(batch)
    for index, (entry, values) in enumerate(zip(entries, ours.values.tolist(), strict=True)):
        if index in ours.reasons:
            assert entry["printed"][name] == ["0.00000"] * 3
        else:
            assert as_printed(*values[:2]) == entry["printed"][name], entry
    assert len(ours.reasons) < len(entries) / 4


def test_sentences_found_by_rule_give_the_same_as_the_lines_that_the_script_was_given(
    golden: dict[str, Any],
    texts: dict[str, dict[str, str]],
    sample_summaries: list[dict[str, Any]],
) -> None:
    plain = {(s["document"], s["system"]): s["text"] for s in sample_summaries}
    entries = golden["single"]
    batch = Batch.of(
        [
            Item(plain[e["document"], e["system"]], (plain[e["document"], "reference"],))
            for e in entries
        ]
    )
    for name in ("rougeLsum", "rougeW"):
        split = metric_from(f"{name}:tok=rouge155,lines=sentences").score(batch).values
        lines = metric_from(f"{name}:tok=rouge155").score(batch_of(entries, texts)).values
        np.testing.assert_array_equal(split, lines)


class TestSeveralReferences:
    """The script's two modes are not ours; where the definitions meet, so do the numbers."""

    @pytest.mark.parametrize("name", [name for name in NAMES if name != "rougeW"])
    def test_mode_a_and_the_mean_have_the_same_precision(
        self, name: str, golden: dict[str, Any], texts: dict[str, dict[str, str]]
    ) -> None:
        """Mode A adds up hits and lengths over the references.

        The summary's length is added once for each, so that precision is the mean; recall would
        be only if all references were of the same length.
        """
        entries = golden["average"]
        ours = metric_from(f"{name}:tok=rouge155,refs=mean").score(batch_of(entries, texts)).values
        for entry, precision in zip(entries, ours[:, 0], strict=True):
            assert f"{precision:.5f}" == entry["printed"][name][0]

    @pytest.mark.parametrize("name", NAMES)
    def test_mode_b_takes_the_reference_with_the_best_recall(
        self, name: str, golden: dict[str, Any], texts: dict[str, dict[str, str]]
    ) -> None:
        """Where the same reference is best by F, which `refs=max` goes by, the values are ours.

        For ROUGE-W the script chooses by the recall of the paper and prints its own.
        """
        entries = golden["best"]
        metric = metric_from(f"{name}:tok=rouge155")
        chooser = metric_from("rougeW:tok=rouge155,base=paper") if name == "rougeW" else metric
        ours = metric.score(batch_of(entries, texts)).values
        apart = [
            batch_of(
                [{**entry, "references": [entry["references"][k]]} for entry in entries], texts
            )
            for k in (0, 1)
        ]
        rows = np.stack([metric.score(batch).values for batch in apart], axis=1)
        recalls = np.stack([chooser.score(batch).values[:, 1] for batch in apart], axis=1)
        agree = 0
        for index, entry in enumerate(entries):
            chosen = int(np.argmax(recalls[index]))
            assert as_printed(*rows[index, chosen, :2]) == entry["printed"][name]
            if chosen == np.argmax(rows[index, :, 2]):
                agree += 1
                assert as_printed(*ours[index, :2]) == entry["printed"][name]
        assert agree >= 18, "the two ways to choose differ on 2 of 20 summaries at most"
