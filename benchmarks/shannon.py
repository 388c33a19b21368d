"""The Shannon game: Gistmark against the blanc package, and against itself without sharing.

Needs the embedded language model (`gistmark models get SmolLM2-135M-Instruct`) and pip, which
fetches blanc 0.3.4. Its Shannon class runs the model once for each token of the document, in each
of three readings, for each summary. It gets the same model, sentences and summaries, and the
likelihoods and counts must be the same. Both score two summaries of the beginning of a document.

Without sharing, the summary or the filler is read anew before each sentence.

Last, all four metrics on the language model together, for one document and one summary, against a
plain loop with transformers that runs the model once for each sentence and context, metric by
metric; counts must be equal. bfloat16 and int8 are measured too, with the sum of the
differences of their counts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch

from blanc_package import shannon_on
from gistmark.corpus.loading import load, sample_folder
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc import tally
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.metrics.language_model.shannon import BlancShannon, InfoDiff, Shannon, readings
from gistmark.models.language_models.causal import CausalModel, Query, causal_model
from gistmark.scoring.work import score_batch
from gistmark.text.sentences import sentences
from harness import best_of, report

MODEL = "SmolLM2-135M-Instruct"
SENTENCES = 4
SUMMARIES = 3
FEW = 2
DOCUMENTS = 2
PEER_WANTED = 10
SHARING_WANTED = 1.3
LOOP_WANTED = 1.5


def main() -> None:
    causal_model(MODEL)
    items = sample_items()
    against_the_package(items)
    against_no_sharing(items)
    against_a_plain_loop(items[0][0])


def sample_items() -> list[list[Item]]:
    """Some summaries of the first documents of the sample."""
    corpus = load(sample_folder())
    found = []
    for document in corpus.documents[:DOCUMENTS]:
        texts = [summary.text for summary in corpus.summaries if summary.document == document.id]
        found.append([Item(text, (), document.text) for text in texts[:SUMMARIES]])
    return found


def against_the_package(items: list[list[Item]]) -> None:
    short = [
        Item(item.summary, (), " ".join(sentences(item.document or "")[:SENTENCES]))
        for item in items[0][:FEW]
    ]
    peer = shannon_on(MODEL)
    (theirs, ours), (expected, found) = best_of(
        1,
        lambda: [peer.go(item.document, item.summary) for item in short],
        lambda: our_scores(short),
    )
    worst = 0.0
    for (base, helped, full, counts, tokens, _), row in zip(expected, found, strict=True):
        gain, share, *own_counts = row
        worst = max(worst, abs(helped - base - gain), abs((helped - base) / (full - base) - share))
        if own_counts != [count for line in counts for count in line] or sum(own_counts) != tokens:
            raise SystemExit(f"the counts are {own_counts}, those of blanc {counts}")
    if not worst <= 1e-3:
        raise SystemExit(f"the likelihoods differ from those of blanc by {worst}")
    print(f"      {len(short)} summaries in {ours:.1f} s, blanc {theirs:.1f} s, the same counts")
    print(f"      largest difference of a sum of log-likelihoods: {worst:.1e}")
    ratio = theirs / ours
    wanted = f">= {PEER_WANTED}"
    report("blanc-shannon, speed over the blanc package", ratio, wanted, ratio >= PEER_WANTED)


def our_scores(items: list[Item]) -> list[list[float]]:
    """Information difference, Shannon score and counts as the package defines them."""
    batch = Batch.of(items)
    options = {"base": "bare", "words": "all"}
    kinds = (InfoDiff, Shannon, BlancShannon)
    gain, share, counts = (kind(kind.Options(**options)).score(batch).values for kind in kinds)
    return np.column_stack([gain[:, 0], share[:, 0], counts[:, 1:]]).tolist()


def against_no_sharing(items: list[list[Item]]) -> None:
    model = causal_model(MODEL)
    asked = questions([item for group in items for item in group])
    (alone, shared), (expected, found) = best_of(
        2, lambda: model.predict(asked, share=False), lambda: model.predict(asked)
    )
    for one, other in zip(expected, found, strict=True):
        if (
            np.abs(one.likelihoods - other.likelihoods).max() > 1e-3
            or (one.right != other.right).any()
        ):
            raise SystemExit("what is predicted depends on sharing")
    print(f"      {len(asked)} sentences after their contexts in {shared:.1f} s")
    ratio = alone / shared
    wanted = f">= {SHARING_WANTED}"
    report("blanc-shannon, speed over no shared cache", ratio, wanted, ratio >= SHARING_WANTED)


def against_a_plain_loop(item: Item) -> None:
    (theirs, ours), (expected, found) = best_of(
        1, lambda: looped(item), lambda: together(item, "full")
    )
    if not np.array_equal(expected, found):
        raise SystemExit(f"the counts are {found}, those of the loop {expected}")
    print(f"      four metrics in {ours:.1f} s, a plain loop {theirs:.1f} s, the same counts")
    for precision in ("bfloat16", "int8"):
        causal_model(MODEL, precision)
        (coarse,), (rounded,) = best_of(2, partial(together, item, precision))
        moved = np.abs(found - rounded).sum()
        print(
            f"      in {precision} {coarse:.1f} s, {ours / coarse:.1f} times as fast; "
            f"its counts differ by {moved:.0f} of {found.sum():.0f}"
        )
    ratio = theirs / ours
    wanted = f">= {LOOP_WANTED}"
    report("four metrics together, speed over a plain loop", ratio, wanted, ratio >= LOOP_WANTED)


def together(item: Item, precision: str) -> np.ndarray:
    """The counts of blanc-help and blanc-shannon out of a run of all four metrics."""
    kinds = (BlancHelp, BlancShannon, InfoDiff, Shannon)
    metrics = {kind.family: kind(kind.Options(precision=precision)) for kind in kinds}
    (done,) = score_batch(Batch.of([item]), metrics, dict.fromkeys(metrics))
    return np.array([done.values[kind.family].values[0, 1:5] for kind in kinds[:2]])


def looped(item: Item) -> np.ndarray:
    """The same counts, sentence by sentence, and the likelihoods that the other two want."""
    model, batch = causal_model(MODEL), Batch.of([item])
    pair = int(batch.documents[0]), int(batch.summaries[0])
    counts = []
    for kind in (BlancShannon, BlancShannon, InfoDiff, Shannon):
        game = readings(batch, kind.Options(), *pair)
        right = {name: [plain(model, query) for query in game[name]] for name in kind.kinds}
        if kind is BlancShannon:
            both = zip(right["base"], right["help"], strict=True)
            counts.append(sum(tally(base, helped) for base, helped in both))
    return np.array(counts)


def plain(model: CausalModel, query: Query) -> np.ndarray:
    """Which wanted tokens are the likeliest, by the whole network on the whole text."""
    with torch.inference_mode():
        ids = torch.tensor([[model.start, *query.context, *query.tokens]])
        logits = model.network(input_ids=ids).logits[0].log_softmax(dim=-1)
    before = len(query.context)
    return np.array(
        [int(logits[before + i].argmax()) == query.tokens[i] for i in query.wanted], dtype=bool
    )


def questions(items: list[Item]) -> list[Query]:
    """All queries of blanc-shannon with its defaults."""
    batch = Batch.of(items)
    options: Any = BlancShannon.Options()
    pairs = zip(batch.documents.tolist(), batch.summaries.tolist(), strict=True)
    games = [readings(batch, options, *pair) for pair in pairs]
    return [query for game in games for kind in ("base", "help") for query in game[kind]]


if __name__ == "__main__":
    main()
