"""Language models that fill in masked tokens from what stands on both sides of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.batches import run_all
from gistmark.models.causal import LONGEST, Tokens
from gistmark.models.devices import Precision, one_at_a_time, token_budget
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of
from gistmark.models.masked_parts import Parts, parts_of

Int64 = NDArray[np.int64]

_LOGITS = 1 << 26


@dataclass(frozen=True)
class Gapped:
    """A whole sequence with masked tokens, and the places at which one is to be filled in."""

    tokens: Tokens
    places: tuple[int, ...]


@dataclass(frozen=True)
class MaskedModel:
    """A masked language model with its tokenizer.

    `longest` is how many tokens it reads; `opening` and `closing` stand around every text. Where
    the network can be taken apart, `parts` spares it work at places that are not asked for.
    """

    source: Source
    tokenizer: Any
    network: Any
    parts: Parts | None
    longest: int
    mask: int
    opening: Tokens
    closing: Tokens

    def predict(self, sequences: Sequence[Gapped]) -> list[Int64]:
        """The likeliest token at each of the places; equal sequences are read once."""
        import torch

        distinct = list(dict.fromkeys(sequence for sequence in sequences if sequence.places))

        def work(chosen: list[int]) -> list[Int64]:
            return self._filled([distinct[index] for index in chosen])

        lengths = [len(sequence.tokens) for sequence in distinct]
        with one_at_a_time(), torch.inference_mode():
            found = run_all(work, lengths, token_budget(self.network.device))
        answers = dict(zip(distinct, found, strict=True))
        nothing = np.empty(0, dtype=np.int64)
        return [answers.get(sequence, nothing) for sequence in sequences]

    def _filled(self, sequences: Sequence[Gapped]) -> list[Int64]:
        """A batch through the network."""
        places = [sequence.places for sequence in sequences]
        inputs = self._inputs([sequence.tokens for sequence in sequences])
        if self.parts is None:
            rows = [row for row, asked in enumerate(places) for _ in asked]
            columns = [place for asked in places for place in asked]
            best = self.network(**inputs).logits[rows, columns].argmax(dim=1)
        else:
            best = self._best(self.parts, self.parts.states(inputs, places))
        ends = np.cumsum([len(asked) for asked in places])
        return np.split(best.cpu().numpy(), ends[:-1])

    def _inputs(self, rows: Sequence[Tokens]) -> dict[str, Any]:
        """Sequences filled up at their ends; a mask only if there is any filling."""
        import torch

        width = max(map(len, rows))
        filling = self.tokenizer.pad_token_id or 0
        ids = [[*row, *[filling] * (width - len(row))] for row in rows]
        inputs = {"input_ids": torch.tensor(ids)}
        if min(map(len, rows)) < width:
            inputs["attention_mask"] = torch.tensor(
                [[1] * len(row) + [0] * (width - len(row)) for row in rows]
            )
        return {name: values.to(self.network.device) for name, values in inputs.items()}

    def _best(self, parts: Parts, states: Any) -> Any:
        """The likeliest token for each state, a few rows of logits at a time."""
        import torch

        size = max(1, _LOGITS // (4 * self.network.config.vocab_size))
        best = [parts.logits(piece).argmax(dim=1) for piece in states.split(size)]
        return torch.cat(best)


@lru_cache(maxsize=2)
def masked_model(name: str, precision: Precision = "full") -> MaskedModel:
    """The masked language model of this name, loaded once."""
    source = source_of(name)
    network = load_pretrained("AutoModelForMaskedLM", source, precision)
    tokenizer = load_tokenizer(source)
    if tokenizer.mask_token_id is None:
        raise GistmarkError(f"The model {source.name} has no token that masks another one.")
    around = tuple(tokenizer("")["input_ids"])
    return MaskedModel(
        source=source,
        tokenizer=tokenizer,
        network=network,
        parts=parts_of(network),
        longest=_longest(network, tokenizer),
        mask=int(tokenizer.mask_token_id),
        opening=around[:1],
        closing=around[1:],
    )


def _longest(network: Any, tokenizer: Any) -> int:
    """The most tokens that both parts allow.

    Models of the RoBERTa kind count positions from the one after that of the filling.
    """
    most = int(getattr(network.config, "max_position_embeddings", LONGEST))
    for name, module in network.base_model.named_modules():
        filling = getattr(module, "padding_idx", None)
        if name.endswith("position_embeddings") and filling is not None:
            most -= filling + 1
    return min(most, int(tokenizer.model_max_length), LONGEST)
