"""Tuning a language model on a few training examples; its weights are restored afterwards.

The model is tuned in place and restored from a copy of the weights that were to change, which costs
far less than a copy of the model for each text. While it is tuned, nothing else may use it. Each
weight makes its step as soon as its gradient is there, and the gradient is then freed, so that the
gradients of the whole model never exist at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from gistmark.errors import GistmarkError
from gistmark.models.encoders import layer_list
from gistmark.models.language_models.frozen_layers import replayed
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
    """Tune the network on the examples for the block; the same seed gives the same weights.

    `loss_of` gives the loss of a few examples as a tensor.
    """
    torch = library("torch")
    with one_at_a_time():
        learning = _learning(network, training.layers)
        originals = [weights.detach().clone() for _, weights in learning]
        switched_off = [w for w in network.parameters() if w.requires_grad]
        try:
            _learn(network, learning, examples, loss_of, training)
            yield
        finally:
            with torch.no_grad():
                for (_, weights), original in zip(learning, originals, strict=True):
                    weights.copy_(original)
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
    learning_names = {name for name, _ in learning}
    for name, weights in network.named_parameters():
        weights.requires_grad_(name in learning_names)
    network.train()
    starts = range(0, len(examples), training.batch)
    devices = [network.device] if network.device.type == "cuda" else []
    with (
        torch.random.fork_rng(devices=devices),
        torch.inference_mode(False),
        torch.enable_grad(),
        _stepping_optimizers(learning, training) as set_rate,
        _sparse_embedding_gradients(network),
        replayed(frozen_layers(network, training.layers), {}),
    ):
        torch.manual_seed(training.seed)
        for step, start in enumerate(starts):
            check()
            set_rate(training.rate * _share_of_rate(step, len(starts), training.warmup))
            loss_of(examples[start : start + training.batch]).backward()
    network.eval()


@contextmanager
def _stepping_optimizers(
    learning: Sequence[tuple[str, Any]], training: Training
) -> Iterator[Callable[[float], None]]:
    """Let each weight make a step of AdamW once its gradient is there, and free the gradient.

    All weights decay but biases and norms. Gives a function that sets the rate.
    """
    torch = library("torch")
    optimizers = {
        weights: torch.optim.AdamW(
            [weights],
            lr=training.rate,
            eps=1e-8,
            weight_decay=0.0 if name.lower().endswith(_NO_DECAY) else training.decay,
            fused=True,
        )
        for name, weights in learning
    }

    def step(weights: Any) -> None:
        optimizers[weights].step()
        weights.grad = None

    def set_rate(rate: float) -> None:
        for optimizer in optimizers.values():
            optimizer.param_groups[0]["lr"] = rate

    hooks = [weights.register_post_accumulate_grad_hook(step) for weights in optimizers]
    try:
        yield set_rate
    finally:
        for hook in hooks:
            hook.remove()


@contextmanager
def _sparse_embedding_gradients(network: Any) -> Iterator[None]:
    """Make the gradients of the embedding sparse: only rows of tokens that are read have one.

    Only where input and output share their weights: the output has gradients for every row, to
    which these few are added. Otherwise AdamW would need the rows that nobody read, too.
    """
    torch = library("torch")
    embedding, head = network.get_input_embeddings(), network.get_output_embeddings()
    if not isinstance(embedding, torch.nn.Embedding) or embedding.weight is not getattr(
        head, "weight", None
    ):
        yield
        return
    was_sparse, embedding.sparse = embedding.sparse, True
    try:
        yield
    finally:
        embedding.sparse = was_sparse


def _share_of_rate(step: int, steps: int, warmup: int) -> float:
    """Up to 1 over the first `warmup` steps, then down to 0 at the end."""
    if step < warmup:
        return step / max(1, warmup)
    return max(0.0, (steps - step) / max(1, steps - warmup))


def _learning(network: Any, layers: int) -> list[tuple[str, Any]]:
    """Names and weights of what learns: everything, or the top layers alone."""
    parameters = list(network.named_parameters())
    if not layers:
        return parameters
    name, blocks = _blocks(network, layers)
    prefixes = tuple(f"{name}.{index}." for index in range(len(blocks) - layers, len(blocks)))
    return [(key, weights) for key, weights in parameters if key.startswith(prefixes)]


def frozen_layers(network: Any, layers: int) -> Sequence[Any]:
    """The layers below the top ones that learn; none where the whole model does."""
    return list(_blocks(network, layers)[1][:-layers]) if layers else []


def _blocks(network: Any, layers: int) -> tuple[str, Any]:
    """The name and the list of the layers; an error if there are fewer than `layers`."""
    named_layers = layer_list(network)
    if named_layers is None:
        raise GistmarkError("The model has no list of layers known to Gistmark; leave out layers=.")
    name, blocks = named_layers
    if layers > len(blocks):
        raise GistmarkError(f"The model has {len(blocks)} layers, so {layers} cannot be tuned.")
    return name, blocks
