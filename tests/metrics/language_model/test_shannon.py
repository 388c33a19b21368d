"""The Shannon game: against loops that follow the definition, by hand, and at its edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_models
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model import shannon
from gistmark.metrics.language_model.shannon import BlancShannon, InfoDiff, Shannon
from gistmark.metrics.metric import Metric, Values
from gistmark.models.language_models.causal import CausalModel, Predictions, Query, causal_model
from gistmark.text.sentences import sentences
from on_use import on_use

torch = on_use("torch")
on_use("transformers")

KINDS = (InfoDiff, Shannon, BlancShannon)
DOCUMENT = " ".join(tiny_models.SENTENCES[:4])
SUMMARY = "The swing bridge will stay shut, and ferries will run."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 that has learnt a little and reads up to 256 tokens."""
    made = tiny_models.causal_model(tmp_path_factory.mktemp("models") / "gpt2")
    return tiny_models.taught(made)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.taught(tiny_models.llama(tmp_path_factory.mktemp("models") / "llama"))


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 that reads no more than 120 tokens."""
    return tiny_models.causal_model(tmp_path_factory.mktemp("models") / "narrow", longest=120)


def metric(kind: type[Metric], folder: Path, **options: Any) -> Metric:
    return kind(kind.Options(model=str(folder), **options))


def play(kind: type[Metric], folder: Path, *items: Item, **options: Any) -> Values:
    return metric(kind, folder, **options).score(Batch.of(items))


def item(summary: str = SUMMARY, document: str | None = DOCUMENT) -> Item:
    return Item(summary, (), document)


def foretold(model: CausalModel, before: Sequence[int], tokens: Sequence[int]) -> list[Any]:
    """Log-likelihood and rightness of each token, each from a pass of its own."""
    result = []
    for position, token in enumerate(tokens):
        ids = torch.tensor([[model.start, *before, *tokens[:position]]])
        with torch.inference_mode():
            logits = model.network(input_ids=ids).logits[0, -1].double()
        result.append((logits.log_softmax(dim=0)[token].item(), logits.argmax().item() == token))
    return result


def by_definition(
    folder: Path, document: str, summary: str, *, base: str, upstream: int = 0, wanted: Any = None
) -> tuple[float, float, np.ndarray, int]:
    """ll_help - ll_base, ll_full - ll_base, the four counts, and the number of tokens."""
    model = causal_model(str(folder))
    texts = [list(tokens) for tokens in model.encode(sentences(document))]
    told = list(model.encode([summary])[0])
    nothing = list(model.encode(["."])[0]) * len(told) if base == "filler" else []
    helped = known = 0.0
    counts, asked = np.zeros((2, 2)), 0
    for number, tokens in enumerate(texts):
        near = list(chain.from_iterable(texts[max(0, number - upstream) : number]))
        runs = [
            foretold(model, context, tokens)
            for context in (nothing + near, told + near, near + tokens + near)
        ]
        for position in range(len(tokens)) if wanted is None else wanted[number]:
            (ll_base, right_base), (ll_help, right_help), (ll_full, _) = (r[position] for r in runs)
            helped += ll_help - ll_base
            known += ll_full - ll_base
            counts[int(right_base), int(right_help)] += 1
            asked += 1
    return helped, known, counts, asked


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize(
    ("base", "upstream"), [("bare", 0), ("filler", 0), ("bare", 1), ("filler", 2)]
)
def test_every_score_is_what_its_definition_says(
    kind: str, base: str, upstream: int, folder: Path, llama: Path
):
    position = {"gpt2": folder, "llama": llama}[kind]
    helped, known, counts, asked = by_definition(
        position, DOCUMENT, SUMMARY, base=base, upstream=upstream
    )
    assert counts[0, 1] + counts[1, 0] > 0, "the summary makes a difference"
    options = {"base": base, "upstream": upstream, "words": "all"}
    result = play(InfoDiff, position, item(), **options).values[0]
    assert result == pytest.approx([helped, helped / asked], abs=1e-3)
    result = play(Shannon, position, item(), **options)
    if known >= shannon.LEAST_GAIN * asked:
        assert result.values[0] == pytest.approx([helped / known], abs=1e-3)
    else:
        assert result.reasons == {0: shannon.NO_GAIN}
    value = (counts[0, 1] - counts[1, 0]) / asked
    result = play(BlancShannon, position, item(), **options).values[0]
    assert result == pytest.approx([value, *counts.flatten()])


def test_only_the_first_tokens_of_long_words_may_count(folder: Path):
    # "swing", "bridge", "closed" and "Tuesday" have four letters and more; "The" and "on" not.
    document = "The swing bridge closed on Tuesday."
    model = causal_model(str(folder))
    (tokens,) = model.encode([document])
    pieces = [model.tokenizer.decode([token]) for token in tokens]
    starts = [sum(map(len, pieces[:position])) for position in range(len(pieces))]
    words = [document.index(word) - 1 for word in ("swing", "bridge", "closed", "Tuesday")]
    wanted = [position for position, start in enumerate(starts) if start in words]
    assert len(wanted) == 4
    helped, _, counts, _ = by_definition(folder, document, SUMMARY, base="filler", wanted=[wanted])
    result = play(BlancShannon, folder, item(document=document)).values[0]
    assert result[1:] == pytest.approx(counts.flatten())
    result = play(InfoDiff, folder, item(document=document), words="long").values[0]
    assert result == pytest.approx([helped, helped / 4], abs=1e-3)
    result = play(BlancShannon, folder, item(document=document), least=7).values[0]
    assert result[1:].sum() == 1, "only Tuesday has seven letters"


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch, folder: Path) -> dict[str, tuple[float, list[bool]]]:
    """Every token of "a b." has the given likelihood, and is right or wrong in turn."""
    told = {"base": (-4.0, [False, False, True]), "help": (-3.0, [True, False, False])}
    told["full"] = (-2.0, [True, True, True])
    model = causal_model(str(folder))
    summary, sentence = model.encode(["x", "a b."])
    assert len(sentence) == 3
    kinds = {(): "base", summary: "help", sentence: "full"}

    def predictions(_: Batch, __: Any, queries: Sequence[Query]) -> list[Predictions]:
        answers = [told[kinds[query.context]] for query in queries]
        return [Predictions(np.full(3, value), np.array(right)) for value, right in answers]

    monkeypatch.setattr(shannon, "predictions", predictions)
    return told


def test_the_scores_by_hand(by_hand: dict[str, Any], folder: Path):
    asked = item("x", "a b.")
    # Three tokens, each likelier by -3 - -4 = 1 with the summary and by -2 - -4 = 2 after itself.
    assert play(InfoDiff, folder, asked, base="bare", words="all").values.tolist() == [[3.0, 1.0]]
    assert play(Shannon, folder, asked, base="bare", words="all").values.tolist() == [[3 / 6]]
    # The first token is right only with the summary, the third only without: (1 - 1) / 3.
    result = play(BlancShannon, folder, asked, base="bare", words="all")
    assert result.values.tolist() == [[0.0, 1.0, 1.0, 1.0, 0.0]]


@pytest.mark.parametrize("likelihood", [-4.0, -3.95, -9.0])
def test_who_gains_nothing_from_the_sentence_itself_has_no_share_of_it(
    likelihood: float, by_hand: dict[str, Any], folder: Path
):
    by_hand["full"] = (likelihood, [True] * 3)
    options = {"base": "bare", "words": "all"}
    result = play(Shannon, folder, item("x", "a b."), **options)
    assert np.isnan(result.values).all()
    assert result.reasons == {0: "the model gains nothing from knowing each sentence itself"}
    by_hand["full"] = (-3.5, [True] * 3)
    assert play(Shannon, folder, item("x", "a b."), **options).values.tolist() == [[2.0]]


@pytest.mark.parametrize(
    ("kind", "options"),
    [(kind, {"base": base}) for kind in KINDS for base in ("filler", "bare")]
    + [(kind, {"sep": " | ", "upstream": 1}) for kind in (InfoDiff, BlancShannon)],
)
@pytest.mark.parametrize("summary", ["", " \n\t"])
def test_an_empty_summary_tells_nothing(
    kind: type[Metric], options: dict[str, Any], summary: str, folder: Path
):
    result = play(kind, folder, item(summary), **options)
    assert result.values[0, 0] == 0
    assert result.reasons == {}
    if kind is BlancShannon:
        assert result.values[0, 2:4].tolist() == [0, 0], "no word is right in only one reading"


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_document_there_is_a_reason(kind: type[Metric], folder: Path):
    result = play(kind, folder, item(document=None), item(document=""), item(document=" \n"))
    assert np.isnan(result.values).all()
    assert result.reasons == {
        0: "the document has no text",
        1: "the document has no word to predict",
        2: "the document has no word to predict",
    }


@pytest.mark.parametrize("kind", [InfoDiff, BlancShannon])
def test_a_document_without_long_words_has_tokens_all_the_same(kind: type[Metric], folder: Path):
    asked = item(document="It is so. We do!")
    assert play(kind, folder, asked).reasons == {0: "the document has no word to predict"}
    assert play(kind, folder, asked, words="all").reasons == {}


@pytest.mark.parametrize("base", ["filler", "bare"])
def test_the_filler_is_as_long_as_the_summary(base: str, folder: Path):
    model = causal_model(str(folder))
    batch = Batch.of([item()])
    options = InfoDiff.Options(model=str(folder), base=base)
    result = shannon.readings(batch, options, int(batch.documents[0]), int(batch.summaries[0]))
    (stop,), (summary,) = model.encode(["."])[0:1], model.encode([SUMMARY])
    assert {query.context for query in result["help"]} == {summary}
    fillers = {query.context for query in result["base"]}
    assert fillers == ({stop * len(summary)} if base == "filler" else {()})
    assert [query.context for query in result["full"]] == [q.tokens for q in result["base"]]


def test_the_separator_follows_summary_filler_and_sentence(folder: Path):
    model = causal_model(str(folder))
    batch = Batch.of([item(document="The bridge.")])
    options = InfoDiff.Options(model=str(folder), sep=" | ")
    result = shannon.readings(batch, options, int(batch.documents[0]), int(batch.summaries[0]))
    separator, summary, sentence = model.encode([" | ", SUMMARY, "The bridge."])
    (stop,) = model.encode(["."])
    assert result["help"][0].context == summary + separator
    assert result["base"][0].context == stop * len(summary) + separator
    assert result["full"][0].context == sentence + separator


LONG_SENTENCE = "bridge " * 150 + "."
LONG_SUMMARY = "The swing bridge closed on Tuesday. " * 40


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("upstream", [0, 1, 3])
@pytest.mark.parametrize(
    "asked",
    [
        item(document=f"{DOCUMENT} {LONG_SENTENCE} {DOCUMENT}"),
        item(LONG_SUMMARY),
        item(LONG_SUMMARY, f"{DOCUMENT} {LONG_SENTENCE}"),
    ],
)
def test_what_is_too_long_is_cut_and_no_error(
    kind: type[Metric], upstream: int, asked: Item, narrow: Path
):
    result = play(kind, narrow, asked, upstream=upstream, sep=" | ")
    assert np.isfinite(result.values).all() or set(result.reasons.values()) == {shannon.NO_GAIN}


def readings_of(asked: Item, folder: Path, **options: Any) -> Any:
    batch = Batch.of([asked])
    made = InfoDiff.Options(model=str(folder), **options)
    return shannon.readings(batch, made, int(batch.documents[0]), int(batch.summaries[0]))


def test_first_the_sentence_is_cut_then_the_summary_then_what_is_upstream(narrow: Path):
    model = causal_model(str(narrow))
    # 120 places, one of which starts the text: 119 for context and sentence.
    (summary,) = model.encode(["The bridge is shut."])
    assert len(summary) < 19
    cut = readings_of(item("The bridge is shut.", LONG_SENTENCE), narrow)["help"][0]
    assert (len(cut.context), len(cut.tokens)) == (len(summary), 119 - len(summary))
    cut = readings_of(item(LONG_SUMMARY, LONG_SENTENCE), narrow)["help"][0]
    assert (len(cut.context), len(cut.tokens)) == (19, 100)
    assert cut.context == model.encode([LONG_SUMMARY])[0][:19]
    result = readings_of(item(LONG_SUMMARY), narrow, upstream=3)
    sentence = max(len(query.tokens) for query in result["help"])
    for help_, full in zip(result["help"], result["full"], strict=True):
        assert help_.context[: 119 - sentence] == model.encode([LONG_SUMMARY])[0][: 119 - sentence]
        assert len(help_.context) + len(help_.tokens) <= 119
        assert len(full.context) + len(full.tokens) <= 119


def test_the_sentences_upstream_stand_next_to_the_sentence(folder: Path):
    model = causal_model(str(folder))
    texts = model.encode(sentences(DOCUMENT))
    (summary,) = model.encode([SUMMARY])
    result = readings_of(item(), folder, upstream=2, base="bare")
    assert [query.context for query in result["base"]] == [
        (), texts[0], texts[0] + texts[1], texts[1] + texts[2],
    ]  # fmt: skip
    assert result["help"][3].context == summary + texts[1] + texts[2]
    near = texts[1] + texts[2]
    assert result["full"][3].context == near + texts[3] + near


def test_metrics_and_systems_share_what_they_read(folder: Path):
    model = causal_model(str(folder))
    read: list[int] = []
    hook = model.network.base_model.register_forward_pre_hook(
        lambda _, __, inputs: read.append(inputs["input_ids"].numel()), with_kwargs=True
    )
    try:
        batch = Batch.of([item(), item("Nobody was hurt.")])
        metric(InfoDiff, folder, base="bare", words="all").score(batch)
        both, read[:] = sum(read), []
        metric(BlancShannon, folder, base="bare").score(batch)
        metric(BlancShannon, folder, base="bare", words="all").score(batch)
        assert read == [], "all of it is known"
        for each in batch:
            metric(InfoDiff, folder, base="bare", words="all").score(Batch.of([each]))
        assert both < sum(read), "the base is read once for both systems"
    finally:
        hook.remove()


@pytest.mark.parametrize("kind", KINDS)
def test_the_signature_tells_how_the_game_was_played(kind: type[Metric], folder: Path):
    name, *told = metric(kind, folder).signature.split("|")
    assert name == kind.family
    assert told[1:3] == ["base:filler", "least:4"]
    assert told[3].startswith("model:gpt2@")
    assert told[4:] == ["precision:full", "sep:none", "upstream:0", "words:long"]


@pytest.mark.slow
def test_with_the_embedded_model_a_summary_that_tells_the_story_does_better():
    document = (
        "The swing bridge over the Severn closed on Tuesday after a painter found a crack in its "
        "steel. Engineers say that it will stay shut for eleven weeks. Ferries will carry "
        "passengers meanwhile, and the council will pay for them."
    )
    batch = Batch.of([
        item("A crack in the steel shut the Severn swing bridge for weeks; ferries run.", document),
        item("A new bakery on the market square sells bread of rye and spelt from May.", document),
        item(document, document),
    ])  # fmt: skip
    for kind in KINDS:
        told, foreign, whole = kind().score(batch).values[:, 0]
        assert foreign < told < whole, kind.family
    assert Shannon().score(batch).values[2, 0] > 0.5
