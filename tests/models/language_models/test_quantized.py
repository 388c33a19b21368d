"""Decoders of 8 bits: nearly what the network says, whatever stands together in a pass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import tiny_models
from gistmark.errors import GistmarkError, UsageError
from gistmark.models.encoders import encoder
from gistmark.models.language_models import causal, rounding
from gistmark.models.language_models.causal import CausalModel, Predictions, Query, causal_model
from gistmark.models.language_models.continuations import read_context
from gistmark.models.language_models.masked import masked_model

torch = pytest.importorskip("torch")

SUMMARY = "The bridge is shut because of a crack in the steel, and the ferries will run."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tiny_models.llama(tmp_path_factory.mktemp("models") / "llama", width=64)
    return str(tiny_models.taught(made))


@pytest.fixture(scope="module")
def exact(folder: str) -> CausalModel:
    return causal_model(folder)


@pytest.fixture(scope="module")
def coarse(folder: str) -> CausalModel:
    return causal_model(folder, "int8")


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def queries_of(model: CausalModel) -> list[Query]:
    """All sentences after nothing, a summary, a filler, and themselves."""
    (summary,), (stop,) = model.encode([SUMMARY]), model.encode(["."])
    return [
        Query(context, tokens, tuple(range(len(tokens))))
        for tokens in model.encode(tiny_models.SENTENCES)
        for context in ((), summary, stop * len(summary), tokens)
    ]


def likelihoods(predictions: list[Predictions]) -> np.ndarray:
    return np.concatenate([each.likelihoods for each in predictions])


def test_it_predicts_nearly_what_the_network_predicts(exact, coarse):
    queries = queries_of(exact)
    one, other = exact.predict(queries), coarse.predict(queries)
    difference = np.abs(likelihoods(one) - likelihoods(other))
    # Likelihoods spread over several nats, so this is far from another model's.
    assert likelihoods(one).std() > 1
    assert difference.mean() < 0.1
    right = np.concatenate([each.right for each in one])
    moved = right != np.concatenate([each.right for each in other])
    assert 0.05 < right.mean() < 0.95
    assert moved.mean() < 0.05


@pytest.mark.parametrize("tokens", ["24", "64"])
def test_the_company_of_a_query_hardly_matters(coarse, monkeypatch, tokens):
    """Contexts that several share are read in 16 bits, others in 8."""
    queries = queries_of(coarse)
    together = coarse.predict(queries)
    monkeypatch.setenv("GISTMARK_TOKENS", tokens)
    alone = [coarse.predict([query])[0] for query in queries]
    assert np.abs(likelihoods(together) - likelihoods(alone)).mean() < 0.1


def test_continuations_in_one_row_do_not_see_each_other(coarse):
    (summary,) = coarse.encode([SUMMARY])
    with torch.inference_mode():
        context = read_context(coarse.network, (coarse.start, *summary[:-1]))
        queries = [query.after(summary[-1]) for query in queries_of(coarse)]
        together = coarse.reader.after(context, queries)
        alone = [coarse.reader.after(context, [query])[0] for query in queries]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.likelihoods, other.likelihoods, atol=0.05)


def test_only_some_tokens_may_be_wanted(coarse):
    (query,) = [query for query in queries_of(coarse) if query.context][:1]
    some = Query(query.context, query.tokens, query.wanted[2:-1:3])
    (few,), (every,) = coarse.predict([some]), coarse.predict([query])
    np.testing.assert_allclose(few.likelihoods, every.likelihoods[2:-1:3], atol=0.1)


def test_two_threads_compute_what_one_does(coarse, two_threads, monkeypatch):
    monkeypatch.setattr(rounding, "_ROWS_FOR_THREADS", 1)
    queries = queries_of(coarse)
    shared = coarse.predict(queries)
    torch.set_num_threads(1)
    np.testing.assert_allclose(likelihoods(shared), likelihoods(coarse.predict(queries)), atol=1e-3)


def test_rounding_keeps_each_vector_within_half_a_step():
    vectors = np.random.default_rng(0).normal(size=(7, 33)).astype(np.float32)
    vectors[2] = 0
    factors = np.linspace(0.5, 2, 33).astype(np.float32)
    steps, sizes = rounding.rounded(vectors, factors)
    back = (steps.astype(np.float64) - 128) * sizes[:, None]
    assert np.abs(back - vectors * factors).max() <= 0.501 * sizes.max()
    assert not back[2].any()


def test_the_gates_are_those_of_torch():
    products = torch.linspace(-12, 12, 200).repeat(2)[None] * torch.tensor([[1.0], [0.3]])
    gate, up = products.chunk(2, dim=1)
    expected = (torch.nn.functional.silu(gate) * up).numpy()
    ones = np.ones(200, dtype=np.float32)
    steps, sizes = rounding.gated(products.numpy().copy(), ones[:2], ones)
    back = (steps.astype(np.float64) - 128) * sizes[:, None]
    assert (np.abs(back - expected) <= 0.51 * sizes[:, None] + 1e-2).all()


def test_another_kind_of_model_is_refused(tmp_path):
    other = tiny_models.causal_model(tmp_path / "gpt2")
    with pytest.raises(GistmarkError, match=r"Llama kind, which .*gpt2 is not; take bfloat16"):
        causal_model(str(other), "int8")


def test_a_model_that_8_bits_change_is_refused(folder, monkeypatch):
    monkeypatch.setattr(causal, "_MOST_DIFFERENCE", 1e-9)
    with pytest.raises(GistmarkError, match=r"moves log-probabilities of .* take bfloat16"):
        causal.in_8_bits(causal_model(folder, "bfloat16"))


def test_a_machine_without_such_products_is_named(folder, monkeypatch):
    def refuse(*_: object) -> None:
        raise RuntimeError("Didn't find an engine")

    monkeypatch.setattr(torch.ops.onednn, "qlinear_prepack", refuse)
    with pytest.raises(GistmarkError, match="no int8 products on this machine; take bfloat16"):
        causal.in_8_bits(causal_model(folder, "bfloat16"))


def test_encoders_and_masked_models_have_no_8_bits(tmp_path):
    folder = str(tiny_models.masked_model(tmp_path / "masked"))
    for opened in (encoder, masked_model):
        with pytest.raises(UsageError, match="int8 is only for causal language models"):
            opened(folder, "int8")
