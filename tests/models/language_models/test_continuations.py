"""The parts of a causal model's pass: contexts, rows of continuations, heads, and choices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiny_models
from gistmark.models.language_models import continuations as module
from gistmark.models.language_models.continuations import (
    Context,
    choices,
    head_of,
    packed,
    read_context,
    read_contexts,
    shared_out,
)
from on_use import on_use

torch = on_use("torch")
transformers = on_use("transformers")


@pytest.fixture
def llama(tmp_path: Path) -> Any:
    folder = tiny_models.llama(tmp_path / "llama")
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


def continued(llama: Any, context: Context, tokens: list[list[int]]) -> Any:
    with torch.inference_mode():
        return llama.base_model(
            input_ids=torch.tensor(tokens), past_key_values=context.cache(len(tokens))
        ).last_hidden_state


def whole(llama: Any, tokens: list[int]) -> Any:
    with torch.inference_mode():
        return llama.base_model(input_ids=torch.tensor([tokens])).last_hidden_state[0]


def test_rows_go_on_from_a_context_as_often_as_they_like(llama: Any):
    with torch.inference_mode():
        context = read_context(llama, (0, 5, 6, 7))
    assert len(context) == 4
    for _ in range(2):
        result = continued(llama, context, [[8, 9], [10, 11]])
        torch.testing.assert_close(result[0], whole(llama, [0, 5, 6, 7, 8, 9])[4:])
        torch.testing.assert_close(result[1], whole(llama, [0, 5, 6, 7, 10, 11])[4:])


def test_the_beginning_of_another_context_is_not_read_again(llama: Any, monkeypatch):
    wanted = [(0, 5), (0, 5, 6, 7), (0, 5, 7), (0, 5, 6)]
    read = []

    def reading(network: Any, tokens: tuple[int, ...]) -> Context:
        read.append(tokens)
        return read_context(network, tokens)

    monkeypatch.setattr(module, "read_context", reading)
    with torch.inference_mode():
        contexts = read_contexts(llama, wanted)
    assert sorted(read) == [(0, 5, 6, 7), (0, 5, 7)]
    assert [context.tokens for context in contexts] == wanted
    for context in contexts:
        result = continued(llama, context, [[8, 9]])
        expected = whole(llama, [*context.tokens, 8, 9])[len(context) :]
        torch.testing.assert_close(result[0], expected)


def test_nothing_is_a_context_without_a_cache():
    assert len(Context()) == 0
    assert Context().cache(3) is None


@given(lengths=st.lists(st.integers(1, 90), max_size=50), size=st.integers(0, 100))
def test_each_goes_into_one_row_that_has_room_for_it(lengths: list[int], size: int):
    rows = shared_out(lengths, size)
    assert sorted(position for row in rows for position in row) == list(range(len(lengths)))
    for row in rows:
        assert len(row) == 1 or sum(lengths[position] for position in row) <= size


def test_the_longest_go_first_into_the_first_row_that_has_room():
    # 7 opens a row, 5 another one, 3 fills up the first, 4 the second, 2 opens the third.
    assert shared_out([3, 7, 5, 2, 4], 10) == [[1, 0], [2, 4], [3]]
    assert shared_out([3, 7], 0) == [[1], [0]], "without room each has its own"
    assert shared_out([], 10) == []


def test_rows_hold_tokens_positions_and_owners():
    pack = packed([[(5, 6), (7,)], [(8,)]], first=4, filling=0)
    assert pack.tokens.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert pack.positions.tolist() == [[4, 5, 4], [4, 4, 4]]
    assert pack.starts == ((0, 2), (0,))
    assert not pack.is_plain
    assert packed([[(5, 6)], [(8,)]], first=0, filling=0).is_plain


def test_a_token_sees_the_context_and_its_own_past():
    pack = packed([[(5, 6), (7,)], [(8,)]], first=2, filling=0)
    seen = pack.visible(2)
    # The context's two places, then the row's three; the filling sees only itself and fillings.
    assert seen.astype(int).tolist() == [
        [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 0, 0, 1]],
        [[1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 1, 0, 1, 1]],
    ]
    np.testing.assert_array_equal(pack.visible(0), seen[:, :, 2:])


@pytest.fixture(params=[tiny_models.causal_model, tiny_models.llama])
def network(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    folder = request.param(tmp_path / "model")
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


def test_a_head_gives_the_logits_of_the_network(network: Any):
    head = head_of(network)
    assert head is not None
    ids = torch.arange(12)[None]
    with torch.inference_mode():
        expected = network(input_ids=ids).logits[0]
        states = network.base_model(input_ids=ids).last_hidden_state[0]
        torch.testing.assert_close(head(states), expected)
        torch.testing.assert_close(head(states[4:5]), expected[4:5])
    assert head.width == expected.shape[1]


def test_the_weights_are_those_of_the_network(network: Any):
    """What tunes the network tunes its head."""
    head = head_of(network)
    assert head is not None
    states = torch.ones(1, 32)
    with torch.no_grad():
        before = head(states)
        network.get_output_embeddings().weight.mul_(2)
        torch.testing.assert_close(head(states), 2 * before)


def test_a_network_that_bends_its_logits_by_their_place_has_no_head(network: Any):
    """The states alone do not tell what such a network says."""

    class Bent(type(network)):  # type: ignore[misc]
        def forward(self, **inputs: Any) -> Any:
            result = super().forward(**inputs)
            result.logits = result.logits + torch.arange(result.logits.shape[1])[None, :, None]
            return result

    network.__class__ = Bent
    assert head_of(network) is None


def test_a_network_that_needs_tokens_has_no_head(network: Any):
    class Asking(type(network)):  # type: ignore[misc]
        def forward(self, input_ids: Any, **inputs: Any) -> Any:
            return super().forward(input_ids=input_ids, **inputs)

    network.__class__ = Asking
    assert head_of(network) is None


class Given:
    """A head whose states are the logits themselves."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.most = 0

    def __call__(self, states: Any) -> Any:
        self.most = max(self.most, len(states))
        return states.clone()


def judge(rows: list[list[float]], targets: list[int]) -> Any:
    return choices(Given(len(rows[0])), torch.tensor(rows), np.array(targets))


def test_a_likelihood_is_the_logit_less_the_logarithm_of_all():
    # e^0 + e^ln3 = 1 + 3 = 4, so the shares are 1/4 and 3/4.
    result = judge([[0.0, math.log(3)], [0.0, math.log(3)]], [0, 1])
    assert result.likelihoods == pytest.approx([math.log(1 / 4), math.log(3 / 4)])
    assert result.right.tolist() == [False, True]
    assert result.close.tolist() == [False, False]


def test_of_equal_tokens_the_first_is_chosen():
    result = judge([[1.0, 2.0, 2.0]] * 3, [0, 1, 2])
    assert result.right.tolist() == [False, True, False]
    assert result.close.tolist() == [False, True, True]


def test_what_rounding_may_decide_is_close():
    assert judge([[0.0, 5.0, 5.0005], [0.0, 5.0, 5.002]], [1, 1]).close.tolist() == [True, False]
    assert judge([[0.0, 5.0005, 5.0], [0.0, 5.002, 5.0]], [1, 1]).close.tolist() == [True, False]


def test_huge_and_hopeless_logits_are_no_trouble():
    result = judge([[1e4, -1e4], [-1e4, -1e4]], [0, 1])
    assert result.likelihoods == pytest.approx([0.0, math.log(1 / 2)])
    assert judge([[1e4, -1e4]], [1]).likelihoods == pytest.approx([-2e4])


def test_it_agrees_with_torch_whatever_is_done_at_a_time(monkeypatch: pytest.MonkeyPatch):
    logits = 4 * torch.randn(50, 30, generator=torch.Generator().manual_seed(0))
    targets = np.arange(50) % 30
    head = Given(30)
    monkeypatch.setattr(module, "LOGITS", 7 * 30)
    result = choices(head, logits, targets)
    assert head.most == 7
    expected = logits.double().log_softmax(dim=1)[torch.arange(50), torch.as_tensor(targets)]
    np.testing.assert_allclose(result.likelihoods, expected.numpy(), atol=1e-5)
    np.testing.assert_array_equal(result.right, logits.argmax(dim=1).numpy() == targets)


def test_nothing_asked_is_nothing_told():
    result = choices(Given(3), torch.empty(0, 3), np.empty(0, dtype=np.int64))
    assert len(result.likelihoods) == len(result.right) == len(result.close) == 0


def test_runs_are_split_in_order():
    result = judge([[0.0, 1.0], [2.0, 0.0], [0.0, 3.0]], [1, 1, 1])
    first, none, last = result.split([2, 0, 1])
    assert first.right.tolist() == [True, False]
    assert none.right.tolist() == []
    assert last.right.tolist() == [True]
