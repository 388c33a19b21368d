"""Tuning a language model on a few training examples; its weights are restored afterwards.

The model is tuned in place and restored from a copy of the weights that were to change, which
costs far less than a copy of the model for each text. While it is tuned nobody else may use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from gistmark.errors import GistmarkError
from gistmark.models.encoders import layer_list
from gistmark.models.runtime import library, one_at_a_time
from gistmark.runtime.cancellation import check

Example = TypeVar("Example")

_NO_DECAY = ("bias", "norm.weight", "layernorm.weight", "ln_1.weight", "ln_2.weight", "ln_f.weight")


@dataclass(frozen=True)
class Training:
    """How a model is tuned: AdamW, with a rate that rises for `warmup` steps and then falls to 0.

    `layers` is how many of the top layers learn; 0 means that the whole model does.
    """

    rate: float
    warmup: int
    decay: float
    batch: int
    layers: int
    seed: int


@contextmanager
def tuned(
    network: Any,
    examples: Sequence[Example],
    loss_of: Callable[[Sequence[Example]], Any],
    training: Training,
) -> Iterator[None]:
    """Within it, the network is tuned on the examples; the same seed gives the same weights.

    `loss_of` gives the loss of a few examples as a tensor.
    """
    torch = library("torch")
    with one_at_a_time():
        learning = _learning(network, training.layers)
        before = [weights.detach().clone() for _, weights in learning]
        switched_off = [w for w in network.parameters() if w.requires_grad]
        try:
            _learn(network, learning, examples, loss_of, training)
            yield
        finally:
            with torch.no_grad():
                for (_, weights), old in zip(learning, before, strict=True):
                    weights.copy_(old)
                    weights.grad = None
            for weights in switched_off:
                weights.requires_grad_(True)
            network.eval()


def _learn(
    network: Any,
    learning: Sequence[tuple[str, Any]],
    examples: Sequence[Example],
    loss_of: Callable[[Sequence[Example]], Any],
    training: Training,
) -> None:
    """Go through the examples in order; what torch draws, it draws from the seed."""
    torch = library("torch")
    chosen = {name for name, _ in learning}
    for name, weights in network.named_parameters():
        weights.requires_grad_(name in chosen)
    network.train()
    starts = range(0, len(examples), training.batch)
    optimizer = _optimizer(learning, training)
    devices = [network.device] if network.device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices), torch.inference_mode(False), torch.enable_grad():
        torch.manual_seed(training.seed)
        for step, start in enumerate(starts):
            check()
            for group in optimizer.param_groups:
                group["lr"] = training.rate * _share_of_rate(step, len(starts), training.warmup)
            optimizer.zero_grad()
            loss_of(examples[start : start + training.batch]).backward()
            optimizer.step()
    network.eval()


def _optimizer(learning: Sequence[tuple[str, Any]], training: Training) -> Any:
    """AdamW that lets all weights decay but biases and norms."""
    torch = library("torch")
    kept = [weights for name, weights in learning if name.lower().endswith(_NO_DECAY)]
    other = [weights for name, weights in learning if not name.lower().endswith(_NO_DECAY)]
    groups = [
        {"params": other, "weight_decay": training.decay},
        {"params": kept, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [g for g in groups if g["params"]], lr=training.rate, eps=1e-8, fused=True
    )


def _share_of_rate(step: int, steps: int, warmup: int) -> float:
    """Up to 1 over the first `warmup` steps, then down to 0 at the end."""
    if step < warmup:
        return step / max(1, warmup)
    return max(0.0, (steps - step) / max(1, steps - warmup))


def _learning(network: Any, layers: int) -> list[tuple[str, Any]]:
    """Names and weights of what learns: everything, or the top layers alone."""
    everything = list(network.named_parameters())
    if not layers:
        return everything
    named = layer_list(network)
    if named is None:
        raise GistmarkError("The layers of this model cannot be told apart; leave out layers=.")
    name, blocks = named
    if layers > len(blocks):
        raise GistmarkError(f"The model has {len(blocks)} layers, so {layers} cannot be tuned.")
    chosen = tuple(f"{name}.{index}." for index in range(len(blocks) - layers, len(blocks)))
    return [(each, weights) for each, weights in everything if each.startswith(chosen)]
