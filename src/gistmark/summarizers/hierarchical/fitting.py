"""How the small networks learn: Adam over shuffled lessons, on the CPU, from a seed alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from gistmark.models.runtime import library, one_at_a_time, set_threads

Lesson = TypeVar("Lesson")


@dataclass(frozen=True)
class Schedule:
    """How often the lessons are gone through, Adam's rate and decay of weights, and the seed."""

    epochs: int
    rate: float
    decay: float
    seed: int


def fitted(
    make: Callable[[], Any],
    lessons: Sequence[Lesson],
    loss_of: Callable[[Any, Lesson], Any],
    schedule: Schedule,
) -> Any:
    """The network that `make` gives, after it has learnt; a step for each lesson.

    What torch draws (first weights, order, dropout) it draws from the seed, and draws of others
    go on as if nothing had been drawn.
    """
    torch = library("torch")
    set_threads()
    with one_at_a_time(), torch.random.fork_rng(devices=[]), torch.inference_mode(False):
        torch.manual_seed(schedule.seed)
        network = make().train()
        with torch.enable_grad():
            optimizer = torch.optim.AdamW(
                network.parameters(), lr=schedule.rate, weight_decay=schedule.decay
            )
            for _ in range(schedule.epochs):
                for place in torch.randperm(len(lessons)).tolist():
                    optimizer.zero_grad()
                    loss_of(network, lessons[place]).backward()
                    optimizer.step()
    return network.eval()
