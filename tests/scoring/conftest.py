"""What the tests of scoring share: a cache of their own, corpora, metrics that are watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import METRICS
from gistmark.metrics.metric import Metric, Need, Values
from gistmark.records import Document, Summary


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a cache of its own, so that none finds another's scores."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("GISTMARK_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def sample() -> Corpus:
    return load(sample_folder())


@pytest.fixture
def small() -> Corpus:
    """Two documents, two systems; d1 has two references, d2 has one."""
    return Corpus(
        documents=(Document("d1", ("The cat sat on the mat.",)), Document("d2", ("A dog ran.",))),
        summaries=(
            Summary("d1", "gold", "the cat ran fast", reference=True),
            Summary("d1", "gold-b", "a mat was there", reference=True),
            Summary("d2", "gold", "a dog ran", reference=True),
            Summary("d1", "one", "the cat sat"),
            Summary("d1", "two", "a mat"),
            Summary("d2", "one", "a dog ran"),
            Summary("d2", "two", "a cat"),
        ),
    )


@dataclass(frozen=True)
class Plugin:
    """An entry point whose object is already here."""

    name: str
    kind: object
    value: str = "tests:Plugin"
    module: str = "tests"
    dist: None = None

    def load(self) -> object:
        return self.kind


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Add metrics for the length of one test, as an installed plugin would."""

    def add(**kinds: type[Metric]) -> None:
        plugins = {name: Plugin(name, kind) for name, kind in kinds.items()}
        monkeypatch.setattr(METRICS, "_plugins", plugins)

    return add


@dataclass
class Watch:
    """A metric, and every item that it was ever asked to score."""

    kind: type[Metric]
    items: list[Item] = field(default_factory=list)
    calls: int = 0

    @property
    def summaries(self) -> list[str]:
        return [item.summary for item in self.items]


@pytest.fixture
def watched() -> Callable[..., Watch]:
    """A metric that counts a summary's characters and remembers what it was asked."""

    def make(*needed: Need, options: type[Any] | None = None) -> Watch:
        name = "-".join(["counting", *sorted(needed)])

        class Counting(Metric):
            family = name
            about = "How many characters the summary has."
            range = (0.0, float("inf"))

            @property
            def needs(self) -> frozenset[Need]:
                return frozenset(needed)

            def score(self, batch: Batch) -> Values:
                watch.items.extend(batch)
                watch.calls += 1
                return Values(np.array([[float(len(item.summary))] for item in batch]))

        if options is not None:
            Counting.Options = options
        watch = Watch(Counting)
        return watch

    return make


@dataclass(frozen=True)
class OneOption:
    weight: float = 1.0


@pytest.fixture
def counted(watched: Callable[..., Any], register: Callable[..., None]) -> Any:
    """A registered metric `counted` that looks at references, and remembers what it scored."""
    watch = watched("references", options=OneOption)
    register(counted=watch.kind)
    return watch
