"""Tuning in place: it learns, is undone whatever happens, and follows the rate that was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.errors import GistmarkError
from gistmark.models.encoders import layer_list
from gistmark.models.language_models import causal
from gistmark.models.language_models.tuning import Training, _share_of_rate, tuned
from on_use import on_use
from tiny_models import causal_model

torch = on_use("torch")

ONCE = Training(rate=0.01, warmup=0, decay=0.0, batch=1, layers=0, seed=0)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> torch.nn.Module:
    folder = causal_model(tmp_path_factory.mktemp("models") / "tiny")
    return causal.causal_model(str(folder)).network


def loss_of(network: torch.nn.Module):
    return lambda examples: (
        network(input_ids=torch.tensor(examples), labels=torch.tensor(examples)).loss
    )


def test_the_loss_falls_and_is_as_before_afterwards(network):
    example = [5, 6, 7, 8, 9]
    loss = loss_of(network)
    before = loss([example]).item()
    with tuned(network, [example] * 20, loss, ONCE):
        assert loss([example]).item() < before / 2
    assert loss([example]).item() == before


def test_an_error_in_the_middle_leaves_the_weights_as_they_were(network):
    before = [weights.clone() for weights in network.parameters()]
    calls = []

    def failing(examples):
        calls.append(examples)
        if len(calls) == 3:
            raise RuntimeError("no more")
        return loss_of(network)(examples)

    with pytest.raises(RuntimeError), tuned(network, [[1, 2, 3]] * 5, failing, ONCE):
        pass
    assert all(new.equal(old) for new, old in zip(network.parameters(), before, strict=True))
    assert not network.training


def test_only_the_top_layers_change(network):
    name, blocks = layer_list(network) or pytest.fail("no layers")
    before = {key: weights.clone() for key, weights in network.named_parameters()}
    training = Training(rate=0.01, warmup=0, decay=0.0, batch=1, layers=1, seed=0)
    with tuned(network, [[1, 2, 3]], loss_of(network), training):
        changed = {
            key for key, weights in network.named_parameters() if not weights.equal(before[key])
        }
    assert changed
    assert all(key.startswith(f"{name}.{len(blocks) - 1}.") for key in changed)


def test_more_layers_than_there_are_is_an_error(network):
    training = Training(rate=0.01, warmup=0, decay=0.0, batch=1, layers=9, seed=0)
    with (
        pytest.raises(GistmarkError, match="has 2 layers, so 9"),
        tuned(network, [[1, 2]], loss_of(network), training),
    ):
        pass


@pytest.mark.parametrize(("step", "expected"), [(0, 0.0), (1, 0.5), (2, 1.0), (4, 0.5), (6, 0.0)])
def test_the_rate_rises_over_the_warm_up_and_falls_to_nothing(step, expected):
    # 6 steps, 2 of them warm-up: 0/2, 1/2, then (6 - step) / (6 - 2).
    assert _share_of_rate(step, 6, 2) == expected


def test_random_numbers_of_the_caller_are_left_alone(network):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    with tuned(network, [[1, 2, 3]], loss_of(network), ONCE):
        pass
    assert torch.rand(3).equal(expected)


def test_the_layers_of_a_model_are_found(tmp_path: Path, network):
    name, blocks = layer_list(network) or pytest.fail("no layers")
    assert (name, len(blocks)) == ("transformer.h", 2)
