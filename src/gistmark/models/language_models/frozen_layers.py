"""Layers that do not learn: what they make of an input is computed once and then replayed.

Where only the top layers of a model are tuned, those below them make the same of a text in every
epoch, and the same of a document before and after the tuning.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any

from gistmark.models.runtime import one_at_a_time

Store = dict[bytes, Any]
"""By what tells inputs apart: the states that the layers make of an input."""


@contextmanager
def replayed(layers: Sequence[Any], store: Store) -> Iterator[None]:
    """Let the first layers of a network compute the states of each input only once in the block.

    The states are the very same. Stored is only what can be repeated: no pass that draws random
    numbers, as dropout does, none that fills a cache of keys and values, and nothing but states.
    A layer that stands twice among them is left as it is.
    """
    if not layers or len({*map(id, layers)}) < len(layers):
        yield
        return
    replay = _Replay(layers, [layer.forward for layer in layers], store)
    own_forwards = [vars(layer).get("forward") for layer in layers]
    with one_at_a_time():
        try:
            for index, layer in enumerate(layers):
                layer.forward = partial(replay.run, index)
            yield
        finally:
            for layer, forward in zip(layers, own_forwards, strict=True):
                del layer.forward
                if forward is not None:
                    layer.forward = forward


class _Pass(threading.local):
    """The pass of a thread through the layers: the key of its input, and the states if known."""

    key: bytes | None = None
    stored: Any = None
    random_state: Any = None


@dataclass
class _Replay:
    """What stands in place of the layers; several threads may have a pass each."""

    layers: Sequence[Any]
    forwards: Sequence[Any]
    store: Store
    current: _Pass = field(default_factory=_Pass)

    def run(self, index: int, *args: Any, **kwargs: Any) -> Any:
        """What a layer does: compute, or say what is known of this input."""
        if index == 0:
            self._start(args, kwargs)
        if self.current.stored is not None:
            return self.current.stored
        states = self.forwards[index](*args, **kwargs)
        if index == len(self.layers) - 1:
            self._end(states)
        return states

    def _start(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        import torch

        key = _key([*args, *sorted(kwargs.items())])
        self.current.key = key
        self.current.stored = None if key is None else self.store.get(key)
        self.current.random_state = torch.get_rng_state() if self.layers[0].training else None

    def _end(self, states: Any) -> None:
        import torch

        key, random_state = self.current.key, self.current.random_state
        if key is None or not isinstance(states, torch.Tensor):
            return
        if random_state is not None:
            on_cpu = states.device.type == "cpu"
            if not on_cpu or not random_state.equal(torch.get_rng_state()):
                return
        self.store[key] = states


def _key(values: Iterable[Any]) -> bytes | None:
    """A hash of all that a layer is given; None if there is an object with a state of its own."""
    import torch

    digest = blake2b()
    for value in _flat(values):
        if isinstance(value, torch.Tensor):
            digest.update(repr((value.dtype, value.shape)).encode())
            numbers = value.detach().cpu().contiguous().flatten()
            digest.update(numbers.view(torch.uint8).numpy().data)
        elif value is None or isinstance(value, bool | int | float | str):
            digest.update(repr(value).encode())
        else:
            return None
    return digest.digest()


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        else:
            yield value
