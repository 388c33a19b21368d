"""Causal models: shared, packed and cached reading tells the same as reading token by token."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_models
from gistmark.errors import GistmarkError
from gistmark.models.language_models import continuations
from gistmark.models.language_models.causal import CausalModel, Predictions, Query, causal_model
from on_use import on_use

torch = on_use("torch")
transformers = on_use("transformers")

SUMMARY = "The bridge is shut because of a crack in the steel, and the ferries will run."
TINY = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 8}


def other_kind(folder: Path, settings: Any, kind: str) -> Path:
    """A tiny model of another architecture with the tokenizer of the others."""
    tiny_models.llama(folder)
    torch.manual_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    made = settings(
        vocab_size=len(tokenizer), intermediate_size=64, num_key_value_heads=2,
        max_position_embeddings=256, initializer_range=0.5, bos_token_id=0, eos_token_id=0,
        pad_token_id=0, **TINY,
    )  # fmt: skip
    for name in ("sliding_window", "final_logit_softcapping"):
        if hasattr(made, name):
            setattr(made, name, {"sliding_window": 6, "final_logit_softcapping": 12.0}[name])
    getattr(transformers, kind)(made).save_pretrained(folder)
    return folder


MAKERS = {
    "gpt2": tiny_models.causal_model,
    "llama": tiny_models.llama,
    # A window of a few tokens, so that a context cannot be shared by rows.
    "mistral": lambda folder: other_kind(folder, transformers.MistralConfig, "MistralForCausalLM"),
    # Logits that are bent after the output matrix, besides windows in every other layer.
    "gemma2": lambda folder: other_kind(folder, transformers.Gemma2Config, "Gemma2ForCausalLM"),
}


@pytest.fixture(scope="module", params=["gpt2", "llama", "mistral", "gemma2"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    folder = MAKERS[request.param](tmp_path_factory.mktemp("models") / request.param)
    return opened(tiny_models.taught(folder))


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    folder = tiny_models.llama(tmp_path_factory.mktemp("models") / "llama")
    return opened(tiny_models.taught(folder))


def opened(folder: Path) -> CausalModel:
    return causal_model(str(folder))


@pytest.fixture(autouse=True)
def many_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass costs two tokens, so that sharing pays for these few sentences."""
    monkeypatch.setenv("GISTMARK_TOKENS", "64")


def asked(model: CausalModel) -> list[Query]:
    """All sentences after nothing, a summary, a filler, and themselves."""
    sentences = model.encode(tiny_models.SENTENCES)
    (summary,) = model.encode([SUMMARY])
    (stop,) = model.encode(["."])
    return [
        Query(context, tokens, tuple(range(len(tokens))))
        for tokens in sentences
        for context in ((), summary, stop * len(summary), stop * 4, tokens)
    ]


def token_by_token(model: CausalModel, query: Query) -> Predictions:
    """The definition: the whole text before each token through the whole network."""
    likelihoods, right = [], []
    for position in query.wanted:
        ids = torch.tensor([[model.start, *query.context, *query.tokens[:position]]])
        with torch.inference_mode():
            logits = model.network(input_ids=ids).logits[0, -1].double()
        likelihoods.append(logits.log_softmax(dim=0)[query.tokens[position]].item())
        right.append(logits.argmax().item() == query.tokens[position])
    return Predictions(np.array(likelihoods), np.array(right))


def assert_same(actual: Sequence[Predictions], expected: Sequence[Predictions]) -> None:
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_allclose(one.likelihoods, other.likelihoods, rtol=0, atol=1e-4)
        np.testing.assert_array_equal(one.right, other.right)


@contextmanager
def watched(model: CausalModel) -> Iterator[list[tuple[int, int, int]]]:
    """Rows, width and length of the context of each pass."""
    passes: list[tuple[int, int, int]] = []

    def note(_: Any, __: Any, inputs: dict[str, Any]) -> None:
        cache = inputs.get("past_key_values")
        before = 0 if cache is None else cache.get_seq_length()
        passes.append((*inputs["input_ids"].shape, before))

    hook = model.network.base_model.register_forward_pre_hook(note, with_kwargs=True)
    try:
        yield passes
    finally:
        hook.remove()


def test_it_is_what_a_loop_over_the_tokens_gives(model: CausalModel):
    queries = asked(model)
    expected = [token_by_token(model, query) for query in queries]
    right = np.concatenate([answer.right for answer in expected])
    assert 0.05 < right.mean() < 0.95
    for share in (True, False):
        assert_same(model.predict(queries, share=share), expected)
    plain = replace(model, reader=replace(model.reader, packs=False))
    assert_same(plain.predict(queries), expected)


def test_only_some_tokens_may_be_wanted(llama: CausalModel):
    whole = asked(llama)
    some = [replace(query, wanted=query.wanted[1:-1:2]) for query in whole]
    for few, all_of_it in zip(llama.predict(some), llama.predict(whole), strict=True):
        np.testing.assert_allclose(few.likelihoods, all_of_it.likelihoods[1:-1:2], atol=1e-4)
        np.testing.assert_array_equal(few.right, all_of_it.right[1:-1:2])


def test_a_query_that_wants_nothing_costs_nothing(llama: CausalModel):
    with watched(llama) as passes:
        nothing, empty = llama.predict([Query((1, 2), (3, 4), ()), Query((), (), ())])
    assert len(nothing.likelihoods) == len(empty.right) == 0
    assert passes == []
    assert llama.predict([]) == []
    assert llama.encode([]) == []


def test_answers_stand_in_order_and_equal_queries_are_asked_once(llama: CausalModel):
    queries = asked(llama)
    expected = llama.predict(queries)
    with watched(llama) as once:
        llama.predict(queries)
    with watched(llama) as thrice:
        result = llama.predict([*queries, *reversed(queries), *queries])
    assert once == thrice
    assert_same(result, [*expected, *reversed(expected), *expected])


def test_a_context_is_read_once_and_the_beginning_of_another_not_at_all(llama: CausalModel):
    (stop,) = llama.encode(["."])
    sentences = llama.encode(tiny_models.SENTENCES)
    queries = [
        Query(stop * count, tokens, tuple(range(len(tokens))))
        for tokens in sentences
        for count in (20, 30, 10)
    ]
    with watched(llama) as passes:
        llama.predict(queries)
    contexts = [width for rows, width, before in passes if not before]
    # The start of the text, and the filler but for its last token, which each sentence reads.
    assert contexts == [1 + 30 - 1]
    assert {before for _, _, before in passes if before} == {30, 20, 10}
    read = sum(rows * width for rows, width, before in passes if before)
    needed = 3 * sum(map(len, sentences))
    assert needed <= read <= 1.2 * needed, "rows are all but full"


def test_a_context_that_hardly_saves_is_read_with_each_query(
    llama: CausalModel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_TOKENS", "2048")
    queries = [Query((1, 2, 3), (position,), (0,)) for position in range(10, 13)]
    with watched(llama) as passes:
        result = llama.predict(queries)
    assert all(before == 0 for _, _, before in passes)
    assert_same(result, [token_by_token(llama, query) for query in queries])


def test_passes_keep_to_the_token_budget(llama: CausalModel, monkeypatch: pytest.MonkeyPatch):
    queries = asked(llama)
    expected = llama.predict(queries)
    for budget in (1, 300, 10_000):
        monkeypatch.setenv("GISTMARK_TOKENS", str(budget))
        with watched(llama) as passes:
            assert_same(llama.predict(queries), expected)
        for rows, width, before in passes:
            assert rows == 1 or rows * (width + before) <= budget


def test_a_pass_that_is_out_of_memory_is_halved(
    llama: CausalModel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_TOKENS", "2048")
    queries = [query for query in asked(llama) if not query.context] * 2
    queries += [
        Query((position,), query.tokens, query.wanted) for position, query in enumerate(queries)
    ]
    expected = llama.predict(queries)
    failed = []

    def scarce(_: Any, __: Any, inputs: dict[str, Any]) -> None:
        if len(inputs["input_ids"]) > 1:
            failed.append(len(inputs["input_ids"]))
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")

    hook = llama.network.base_model.register_forward_pre_hook(scarce, with_kwargs=True)
    try:
        assert_same(llama.predict(queries), expected)
    finally:
        hook.remove()
    assert failed


def test_what_rounding_might_decide_is_decided_alone(
    llama: CausalModel, monkeypatch: pytest.MonkeyPatch
):
    """With a generous notion of closeness everything is asked again, one token at a time."""
    queries = asked(llama)
    expected = llama.predict(queries)
    with watched(llama) as before:
        llama.predict(queries)
    monkeypatch.setattr(continuations, "CLOSE", float("inf"))
    with watched(llama) as passes:
        assert_same(llama.predict(queries), expected)
    again = [(1, len(query.context) + len(query.tokens), 0) for query in queries]
    assert sorted(passes[len(before) :]) == sorted(again)


def test_exact_ties_go_to_the_first_of_the_vocabulary_in_any_company(llama: CausalModel):
    """Two tokens with the same row of the output matrix are always equally likely."""
    query = asked(llama)[0]
    weights = llama.network.get_input_embeddings().weight
    kept = weights[7].clone()
    with torch.no_grad():
        weights[7] = weights[query.tokens[0]]
    try:
        twin = replace(query, tokens=(7, *query.tokens[1:]))
        one, other = llama.predict([query, twin])
        assert one.likelihoods[0] == pytest.approx(other.likelihoods[0])
        assert not (one.right[0] and other.right[0])
        for company in ([query], [twin, query], [query, *asked(llama)]):
            result = llama.predict(company)[company.index(query)]
            np.testing.assert_array_equal(result.right, one.right)
    finally:
        with torch.no_grad():
            weights[7] = kept


def test_the_start_of_a_document_is_preferred_to_the_start_of_a_turn(tmp_path: Path):
    folder = tiny_models.llama(tmp_path / "llama")
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    settings["bos_token"] = "!"
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    model = opened(folder)
    assert model.tokenizer.bos_token == "!"
    assert model.start == model.tokenizer.convert_tokens_to_ids("<|endoftext|>")


def test_a_model_without_any_start_is_one_sentence(tmp_path: Path):
    folder = tiny_models.llama(tmp_path / "llama")
    text = (folder / "tokenizer.json").read_text().replace("<|endoftext|>", "<|nothing|>")
    (folder / "tokenizer.json").write_text(text)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    settings = {name: value for name, value in settings.items() if not name.endswith("_token")}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    with pytest.raises(GistmarkError, match="has no token that starts a text"):
        opened(folder)


def test_a_masked_model_is_no_causal_one(tmp_path: Path):
    with pytest.raises(GistmarkError, match="does not read from left to right") as raised:
        opened(tiny_models.masked_model(tmp_path / "bert"))
    assert "\n" not in str(raised.value)


def test_how_much_a_model_reads_is_told(model: CausalModel):
    assert model.longest == 256


def test_a_model_is_loaded_once(tmp_path: Path):
    folder = tiny_models.llama(tmp_path / "llama")
    first = causal_model(str(folder))
    shutil.rmtree(folder)
    assert causal_model(str(folder)) is causal_model(str(folder), "full") is first
