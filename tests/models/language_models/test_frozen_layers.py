"""Layers that do not learn: an input goes through them once, and nothing else changes by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gistmark.models.encoders import layer_list
from gistmark.models.language_models import causal, masked
from gistmark.models.language_models.frozen_layers import Store, replayed
from gistmark.models.language_models.tuning import frozen_layers
from on_use import on_use
from tiny_models import causal_model, llama, masked_model

torch = on_use("torch")

Load = Callable[[str], Any]
KINDS: dict[Callable[..., Path], Load] = {
    masked_model: masked.masked_model,
    causal_model: causal.causal_model,
    llama: causal.causal_model,
}


@pytest.fixture(scope="module", params=KINDS)
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = request.param(tmp_path_factory.mktemp("models") / "tiny", layers=3)
    return KINDS[request.param](str(folder)).network


def states(network: Any, *tokens: int) -> Any:
    inputs = {"input_ids": torch.tensor([tokens]), "use_cache": False}
    return network.base_model(**inputs).last_hidden_state


@contextmanager
def counted(layers: list[Any]) -> Iterator[list[int]]:
    """How often the first part of each layer runs."""
    runs = [0] * len(layers)

    def hook(index: int) -> Callable[..., None]:
        def count(*_: object) -> None:
            runs[index] += 1

        return count

    parts = [next(layer.children()) for layer in layers]
    hooks = [part.register_forward_hook(hook(index)) for index, part in enumerate(parts)]
    yield runs
    for each in hooks:
        each.remove()


def layers_of(network: Any) -> list[Any]:
    _, layers = layer_list(network) or pytest.fail("no layers")
    return list(layers)


def test_an_input_goes_through_the_layers_once_and_has_the_same_states(network):
    layers, store = layers_of(network), Store()
    with torch.no_grad():
        expected = [states(network, 5, 6, 7), states(network, 5, 6, 8)]
        with counted(layers) as runs, replayed(layers[:2], store):
            result = [states(network, 5, 6, 7), states(network, 5, 6, 8), states(network, 5, 6, 7)]
    assert runs == [2, 2, 3]
    assert len(store) == 2
    assert all(
        one.equal(other) for one, other in zip(result, [*expected, expected[0]], strict=True)
    )


def test_inputs_of_the_same_tokens_and_another_mask_are_told_apart(network):
    ids = torch.tensor([[5, 6, 7]])
    masks = (torch.tensor([[1, 1, 1]]), torch.tensor([[1, 1, 0]]))
    layers, store = layers_of(network), Store()
    with torch.no_grad(), replayed(layers[:2], store):
        for mask in masks:
            network.base_model(input_ids=ids, attention_mask=mask, use_cache=False)
    assert len(store) == 2


def test_afterwards_the_layers_run_as_before(network):
    layers = layers_of(network)
    with pytest.raises(RuntimeError), replayed(layers[:2], Store()):
        raise RuntimeError("no more")
    assert not any("forward" in vars(layer) for layer in layers)


def test_random_numbers_are_drawn_anew(tmp_path: Path):
    network = masked.masked_model(str(masked_model(tmp_path / "m", layers=3))).network
    network.train()
    store = Store()
    with torch.random.fork_rng(), torch.no_grad(), replayed(layers_of(network)[:2], store):
        torch.manual_seed(0)
        one, other = states(network, 5, 6, 7), states(network, 5, 6, 7)
    network.eval()
    assert store == {}
    assert not one.equal(other)


def test_a_layer_that_stands_twice_in_the_list_is_left_alone(network):
    layer = layers_of(network)[0]
    with replayed([layer, layer], Store()):
        assert "forward" not in vars(layer)


def test_a_cache_is_filled_even_if_the_input_is_known(tmp_path: Path):
    network = causal.causal_model(str(llama(tmp_path / "m", layers=3))).network
    ids = torch.tensor([[5, 6, 7]])
    with torch.no_grad(), replayed(layers_of(network)[:2], Store()):
        for _ in range(2):
            cache = network.base_model(input_ids=ids, use_cache=True).past_key_values
            assert [layer.keys.shape[2] for layer in cache.layers] == [3, 3, 3]


def test_the_frozen_layers_are_those_below_the_ones_that_learn(network):
    layers = layers_of(network)
    assert list(frozen_layers(network, 1)) == layers[:2]
    assert list(frozen_layers(network, 3)) == []
    assert list(frozen_layers(network, 0)) == []
