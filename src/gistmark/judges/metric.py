"""The metric `judge`: what a model answers to a question of a protocol, about a summary or a pair.

The value is on the protocol's own scale: the mean of its points, weighted by how likely the judge
holds each. The judge sees what the protocol shows, except titles and heat maps; of several
references, the first. An empty summary has no value, and neither has one that lacks what the
protocol shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gistmark.errors import UsageError
from gistmark.judgements.protocols.protocol import Dimension, Protocol
from gistmark.judges.chat import address_hash
from gistmark.judges.judge import Judge, Opinion, Prompt
from gistmark.judges.limits import current_meter
from gistmark.judges.opening import connected, local_judge
from gistmark.judges.options import ALL, NO_SERVER, JudgeOptions, PairOptions, Shows
from gistmark.judges.prompts import Guide, Texts, comparison_prompt, rating_prompt
from gistmark.judges.questions import dimensions_of, preference, protocol_named
from gistmark.judges.server import weighable
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.metric import Metric, Need, OnModel, Values
from gistmark.models.loading import label_of
from gistmark.records import Choice
from gistmark.signature import escape, split_at, without_hash

EMPTY = "the summary is empty"
NO_DOCUMENT_TEXT = "the document has no text"
NO_REFERENCE = "the document has no reference"
_SHOWN: dict[str, tuple[str, ...]] = {
    "document": ("document",),
    "reference": ("reference",),
    "both": ("document", "reference"),
    "nothing": (),
}
_FILES = ("rubric", "steps", "examples")


@dataclass(frozen=True)
class Answer:
    """The value that opinions come to, or the reason for which there is none."""

    value: float | None
    reason: str | None
    transient: bool


class JudgeMetric(OnModel):
    """A model's probability-weighted rating of each summary in one dimension."""

    family = "judge"
    about = (
        "The rating that a language model gives a summary in a dimension of a protocol, on the "
        "protocol's scale, weighted by how likely it holds each point."
    )
    range = (-np.inf, np.inf)
    block_size = 16
    Options: ClassVar[type[Any]] = JudgeOptions

    def __init__(self, options: JudgeOptions | None = None) -> None:
        super().__init__(options)
        if self.options.dimension == ALL:
            raise UsageError("dimension=all stands for several metrics; name one dimension.")

    @classmethod
    def variants(cls, spec: str) -> tuple[str, ...]:
        """With dimension=all, a metric for each dimension of the protocol."""
        name, _, text = spec.partition(":")
        parts = [part.strip() for part in split_at(",", text)]
        if f"dimension={ALL}" not in parts:
            return (spec,)
        chosen = next((p.removeprefix("protocol=") for p in parts if p.startswith("protocol=")), "")
        if not chosen:
            raise UsageError("judge: dimension=all needs protocol=NAME.")
        others = [part for part in parts if part != f"dimension={ALL}"]
        return tuple(
            f"{name}:{','.join([f'dimension={escape(each.name)}', *others])}"
            for each in dimensions_of(protocol_named(chosen, cls.Options.subject))
        )

    @property
    def needs(self) -> frozenset[Need]:
        shown: dict[str, Need] = {"document": "documents", "reference": "references"}
        return frozenset(need for what, need in shown.items() if what in self.shown)

    @cached_property
    def protocol(self) -> Protocol:
        return protocol_named(self.options.protocol, self.options.subject)

    @cached_property
    def dimension(self) -> Dimension:
        return dimensions_of(self.protocol, [self.options.dimension])[0]

    @property
    def shown(self) -> tuple[str, ...]:
        """What the judge reads besides the summary."""
        shows: Shows = self.options.shows
        if shows != "protocol":
            return _SHOWN[shows]
        return tuple(what for what in ("document", "reference") if what in self.protocol.shows)

    @cached_property
    def guide(self) -> Guide:
        return Guide.read(*(getattr(self.options, name) for name in _FILES))

    @cached_property
    def judge(self) -> Judge:
        """The judge; one behind a server is asked what it offers."""
        options: JudgeOptions = self.options
        if options.server == NO_SERVER:
            meter, words, precision = current_meter(), options.words, options.precision
            return local_judge(options.model, words=words, meter=meter, precision=precision)
        return connected(options.server, options.model, options.manner, current_meter())

    @property
    def label(self) -> str:
        """The model's name, without where it runs or its hash."""
        model: str = self.options.model
        return model if self.is_remote else without_hash(label_of(model))

    @property
    def is_remote(self) -> bool:
        """Whether a server is asked, so that it may cost something."""
        return bool(self.options.server != NO_SERVER)

    def for_corpus(self, batches: Callable[[], Iterable[Batch]]) -> Metric:
        """The metric with the server's offer settled, so that the signature records it."""
        options: JudgeOptions = self.options
        if not self.is_remote or "auto" not in (options.answers, options.form):
            return self
        manner = connected(options.server, options.model, options.manner, current_meter()).manner
        weighed = manner.answers == "logprobs" and weighable(self.prompt(Texts("", other="")))
        settled = replace(options, answers="logprobs" if weighed else "samples", form=manner.form)
        return type(self)(settled)

    def score(self, batch: Batch) -> Values:
        prompts = [self.prompts_for(item) for item in batch]
        questions = [each for row in prompts if not isinstance(row, str) for each in row]
        opinions = iter(self.judge.ask(questions) if questions else ())
        values = np.full((len(batch), 1), np.nan)
        reasons: dict[int, str] = {}
        transient: set[int] = set()
        for row, given in enumerate(prompts):
            if isinstance(given, str):
                reasons[row] = given
                continue
            answer = self._answer([next(opinions) for _ in given])
            if answer.value is None:
                reasons[row] = answer.reason or "the judge gave no answer"
                transient |= {row} if answer.transient else set()
            else:
                values[row, 0] = answer.value
        return Values(values, reasons, frozenset(transient))

    def prompts_for(self, item: Item) -> list[Prompt] | str:
        """What the judge is asked about an item, or the reason for which it is not."""
        if not item.summary.strip():
            return EMPTY
        texts = self._texts(item)
        return texts if isinstance(texts, str) else [self.prompt(texts)]

    def _texts(self, item: Item, references: Sequence[str] | None = None) -> Texts | str:
        """What the judge sees of an item, or what is missing."""
        document = reference = None
        if "document" in self.shown:
            document = item.document
            if document is None or not document.strip():
                return NO_DOCUMENT_TEXT
        if "reference" in self.shown:
            candidates = item.references if references is None else references
            reference = next((each for each in candidates if each.strip()), None)
            if reference is None:
                return NO_REFERENCE
        return Texts(item.summary, document, reference)

    def prompt(self, texts: Texts) -> Prompt:
        """The question about some texts."""
        scale = self.protocol.scale_of(self.dimension.name)
        return rating_prompt(self.dimension, scale, replace(texts, other=None), guide=self.guide)

    def _answer(self, opinions: Sequence[Opinion]) -> Answer:
        opinion = opinions[0]
        return Answer(opinion.value, opinion.reason, opinion.transient)

    def _shown(self) -> dict[str, str]:
        options: JudgeOptions = self.options
        texts = dict.fromkeys(self.shown, "…")
        files = {name: getattr(options, name) for name in (*_FILES, "protocol")}
        return {
            **{name: Path(path).name for name, path in files.items()},
            "model": options.model if self.is_remote else label_of(options.model),
            "server": f"@{address_hash(options.server)}" if self.is_remote else NO_SERVER,
            "dimension": f"{self.dimension.name}@{self.prompt(Texts(other='', **texts)).digest}",
        }


class PairMetric(JudgeMetric):
    """A model's choice between a summary and another, which stands as its first reference.

    1 if the summary is better, 0 if the other one is, 0.5 if the two orders disagree. It is not a
    metric of a single summary, so the catalogue does not have it: `gistmark judge` writes
    comparisons with it, and shares the cache of scores that way.
    """

    family = "judge-pair"
    about = "Which of two summaries a language model prefers, asked in both orders."
    range = (0.0, 1.0)
    Options: ClassVar[type[Any]] = PairOptions

    @property
    def needs(self) -> frozenset[Need]:
        return super().needs | {"references"}

    def prompts_for(self, item: Item) -> list[Prompt] | str:
        other, *references = item.references or ("",)
        if not item.summary.strip() or not other.strip():
            return EMPTY
        texts = self._texts(item, references)
        if isinstance(texts, str):
            return texts
        pair = replace(texts, other=other)
        return [self.prompt(pair), self.prompt(pair.swapped)]

    def prompt(self, texts: Texts) -> Prompt:
        return comparison_prompt(self.dimension, texts, guide=self.guide)

    def _answer(self, opinions: Sequence[Opinion]) -> Answer:
        chosen = preference(*opinions)
        value = None if chosen.choice is None else VALUES[chosen.choice]
        return Answer(value, chosen.reason, chosen.transient)


VALUES: Mapping[Choice, float] = {"left": 1.0, "tie": 0.5, "right": 0.0}
"""What `PairMetric` gives for each choice."""
