"""Choices: likelihoods and rightness from logits, by hand and against torch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gistmark.models.language_models import continuations as module
from gistmark.models.language_models.continuations import choices

torch = pytest.importorskip("torch")


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
