"""Ctrl-C while a model runs: no further pass starts, and the rest is computed the next time."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.errors import InterruptedRunError
from gistmark.metrics.catalogue import metric_from
from gistmark.records import Document, Summary
from gistmark.runtime import cancellation
from gistmark.scoring import score
from on_use import on_use
from tiny_models import SENTENCES, encoder, llama

torch = on_use("torch")

MODELS: dict[str, Callable[[Path], Path]] = {
    "bertscore": encoder,
    "mover-score": encoder,
    "blanc-help": llama,
    "blanc-tune": llama,
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("models")
    made = {make: make(folder / make.__name__) for make in dict.fromkeys(MODELS.values())}
    return {metric: made[make] for metric, make in MODELS.items()}


@pytest.fixture
def corpus() -> Corpus:
    """Two documents with three summaries each."""
    text = " ".join(SENTENCES)
    documents = (Document("a", (text,)), Document("b", (" ".join(reversed(SENTENCES)),)))
    summaries = [
        Summary(document.id, f"s{number}", SENTENCES[number + 3 * row])
        for row, document in enumerate(documents)
        for number in range(3)
    ]
    references = [Summary(each.id, "gold", SENTENCES[0], reference=True) for each in documents]
    return Corpus(documents=documents, summaries=(*references, *summaries))


@pytest.fixture
def heeded() -> Iterator[None]:
    """Interrupts as Python has them; whoever started the tests may have had them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def counted(interrupt_at: int | None = None) -> Iterator[list[str]]:
    """The forward passes of whole networks; in one of them Ctrl-C is pressed and heard."""
    passes: list[str] = []

    def started(module: object, _inputs: object) -> None:
        name = type(module).__name__
        if not name.endswith("Model"):
            return
        passes.append(name)
        if len(passes) == interrupt_at:
            signal.raise_signal(signal.SIGINT)
            followed = cancellation._followed.get()
            assert followed is not None
            while not followed.cancelled:
                time.sleep(0.001)

    handle = torch.nn.modules.module.register_module_forward_pre_hook(started)
    try:
        yield passes
    finally:
        handle.remove()


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("name", MODELS)
def test_after_an_interrupt_no_pass_starts_and_the_next_run_does_the_rest(
    name: str, folders: dict[str, Path], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
):
    metric = f"{name}:model={folders[name]}"
    monkeypatch.setattr(type(metric_from(metric)), "block_size", 1)
    score(corpus, [metric], cache=False)  # a model makes some passes when it is loaded
    with counted() as passes:
        whole = score(corpus, [metric], cache=False, workers=1)
    assert not np.isnan(whole[metric].values).any()
    at = len(passes) - 1

    with counted(interrupt_at=at) as passes, pytest.raises(InterruptedRunError) as caught:
        score(corpus, [metric], workers=1)
    assert len(passes) == at
    partial = caught.value.scores
    kept = partial.summary_count  # type: ignore[attr-defined]
    assert 0 < kept < whole.summary_count
    near = {"rtol": 0, "atol": metric_from(metric).tolerance}
    assert np.allclose(partial[metric].values, whole[metric].values[:kept], **near)  # type: ignore[index]

    with counted() as rest:
        resumed = score(corpus, [metric], workers=1)
    assert 0 < len(rest) < at
    assert np.allclose(resumed[metric].values, whole[metric].values, **near)
