"""Models of natural language inference: does a premise entail a hypothesis?

Any model of transformers that classifies pairs of texts and says which of its labels is entailment:
those trained on MNLI and its kin, and those of Zhang and Bansal (2021), which they trained further
on whether summaries state content units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.encoders import longest_input
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of
from gistmark.models.runtime import Precision, one_at_a_time, run_all, token_budget
from gistmark.text import readable

Float64 = NDArray[np.float64]
TextPair = tuple[str, str]


@dataclass(frozen=True)
class EntailmentModel:
    """A classifier of pairs; `label` is the index of entailment among its labels."""

    source: Source
    tokenizer: Any
    network: Any
    label: int
    longest: int

    def logits(self, pairs: Sequence[TextPair]) -> Float64:
        """A row for each pair of a premise and a hypothesis; entailment stands first.

        A premise that is too long is cut at its end, and equal pairs are computed once.
        """
        import torch

        texts = [(readable(premise), readable(hypothesis)) for premise, hypothesis in pairs]
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return np.empty((0, len(self._order)))
        with one_at_a_time():
            lengths = [len(ids) for ids in self._encoded(distinct)["input_ids"]]

            def work(indexes: list[int]) -> Sequence[Float64]:
                filled = self.tokenizer.pad(
                    self._encoded([distinct[index] for index in indexes]), return_tensors="pt"
                )
                output = self.network(**filled.to(self.network.device)).logits
                return list(output[:, self._order].double().cpu().numpy())

            with torch.inference_mode():
                rows = run_all(work, lengths, token_budget(self.network.device))
        rows_by_pair = dict(zip(distinct, rows, strict=True))
        return np.stack([rows_by_pair[pair] for pair in texts])

    @property
    def _order(self) -> list[int]:
        labels = range(self.network.config.num_labels)
        return [self.label, *(label for label in labels if label != self.label)]

    def _encoded(self, pairs: Sequence[TextPair]) -> Any:
        premises, hypotheses = zip(*pairs, strict=True)
        encoded = self.tokenizer(list(premises), list(hypotheses))
        if all(len(ids) <= self.longest for ids in encoded["input_ids"]):
            return encoded
        # The hypothesis has the room that it needs, up to half; the premise has the rest.
        most = self.longest // 2
        shortened = [self._beginning(text, most) for text in hypotheses]
        return self.tokenizer(
            list(premises), shortened, truncation="only_first", max_length=self.longest
        )

    def _beginning(self, text: str, count: int) -> str:
        """The first `count` tokens of a text, as text."""
        spans = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        offsets = spans["offset_mapping"]
        return text if len(offsets) <= count else text[: offsets[count - 1][1]]


def entailment_model(name: str, precision: Precision = "full") -> EntailmentModel:
    """The model of this name, loaded once; a model of another kind is an error that says why."""
    with one_at_a_time():
        return _load_model(name, precision)


@lru_cache(maxsize=2)
def _load_model(name: str, precision: Precision) -> EntailmentModel:
    source = source_of(name)
    network = load_pretrained("AutoModelForSequenceClassification", source, precision)
    tokenizer = load_tokenizer(source)
    labels = [str(network.config.id2label[index]) for index in range(network.config.num_labels)]
    matching = [index for index, label in enumerate(labels) if label.lower().startswith("entail")]
    if len(matching) != 1 or len(labels) < 2:
        raise GistmarkError(
            f"The model {source.name} has no single label for entailment: its labels are "
            f"{', '.join(labels)}. Take a model of natural language inference, such as "
            "roberta-large-mnli, one of whose labels is entailment."
        )
    longest = longest_input(tokenizer, network.base_model)
    return EntailmentModel(source, tokenizer, network, matching[0], longest)
