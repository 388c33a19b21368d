"""Models that write: sequence-to-sequence ones (BART, T5) and instruction-tuned causal ones.

Which of the two a model is, its own settings say. Decoding is greedy or by beams and never draws
anything, so that the same request gets the same answer. A long text is read from its beginning,
as far as the model's window goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gistmark.models.batches import run_all
from gistmark.models.causal import LONGEST, causal_model
from gistmark.models.devices import Precision, one_at_a_time, token_budget
from gistmark.models.libraries import library, quiet
from gistmark.models.loading import (
    Source,
    load_pretrained,
    load_tokenizer,
    said_plainly,
    source_of,
)
from gistmark.models.prompts import Asked, ChatPrompts, PrefixPrompts, Prompts, Request
from gistmark.models.repetition import NoRepeatedWords

__all__ = ["Decoding", "Request", "Writer", "Written", "writer"]

_POSITIONS = ("max_position_embeddings", "max_encoder_position_embeddings", "n_positions")


@dataclass(frozen=True)
class Decoding:
    """How text is written: so many tokens at most, with so many beams (1 is greedy).

    No run of `no_repeat` tokens is written twice; 0 allows all. `read` bounds how many tokens of a
    text are read, within the model's window.
    """

    most_tokens: int
    beams: int = 1
    no_repeat: int = 4
    read: int = LONGEST


@dataclass(frozen=True)
class Written:
    """What a model wrote, whether it ended by itself, and whether it had read the whole text."""

    text: str
    finished: bool = True
    read_all: bool = True


@dataclass(frozen=True)
class Writer:
    """A model with its tokenizer and the form in which it takes its requests.

    `encodes` tells that it is a sequence-to-sequence model. `longest` is how many tokens it reads;
    a causal model's own words count in that.
    """

    source: Source
    tokenizer: Any
    network: Any
    prompts: Prompts
    longest: int
    encodes: bool

    @property
    def prefix(self) -> str:
        """What the model's settings want before a text that is to be summarised, as T5's do."""
        tasks = getattr(self.network.config, "task_specific_params", None) or {}
        return str((tasks.get("summarization") or {}).get("prefix") or "")

    def write(self, requests: Sequence[Request], decoding: Decoding) -> list[Written]:
        """What the model writes for each request.

        Requests of like length go through the model together, which can turn a close decision.
        """
        asked = [self._asked(request, decoding) for request in requests]
        budget = token_budget(self.network.device)
        lengths = [len(each.tokens) for each in asked]

        def work(places: list[int]) -> list[Written]:
            return self._batch([asked[place] for place in places], decoding)

        with one_at_a_time():
            return run_all(work, lengths, budget, extra=decoding.most_tokens)

    def _asked(self, request: Request, decoding: Decoding) -> Asked:
        own = 0 if self.encodes else decoding.most_tokens
        return self.prompts.ask(request, window=self.longest - own, read=decoding.read)

    def _batch(self, asked: Sequence[Asked], decoding: Decoding) -> list[Written]:
        torch: Any = library("torch")
        ids, mask = _filled([each.tokens for each in asked], self._filler, left=not self.encodes)
        start = 1 if self.encodes else ids.shape[1]
        rules = [NoRepeatedWords(decoding.no_repeat, start)] if decoding.no_repeat else []
        where = self.network.device
        with torch.inference_mode(), quiet():
            made = self.network.generate(
                input_ids=ids.to(where),
                attention_mask=mask.to(where),
                generation_config=self._settings(decoding),
                logits_processor=rules,
            )
        return [
            self._written(tokens[start:], each)
            for tokens, each in zip(made.tolist(), asked, strict=True)
        ]

    def _settings(self, decoding: Decoding) -> Any:
        """The model's own settings, but for what the request decides; nothing is sampled."""
        own = self.network.generation_config.to_dict()
        own |= {
            "max_length": None, "max_new_tokens": decoding.most_tokens, "min_length": 0,
            "min_new_tokens": None, "num_beams": decoding.beams, "num_return_sequences": 1,
            "do_sample": False, "temperature": None, "top_k": None, "top_p": None,
            "no_repeat_ngram_size": 0, "pad_token_id": self._filler, "eos_token_id": self._ends,
            "early_stopping": decoding.beams > 1, "forced_eos_token_id": None,
            "return_dict_in_generate": False,
        }  # fmt: skip
        return library("transformers").GenerationConfig(**own)

    @property
    def _ends(self) -> list[int]:
        """The tokens that end a text: the model's, and the one that ends a turn of a chat."""
        own = self.network.generation_config.eos_token_id
        found = own if isinstance(own, list) else [own]
        return [
            token
            for token in dict.fromkeys([*found, self.tokenizer.eos_token_id])
            if token is not None
        ]

    @property
    def _filler(self) -> int:
        own = self.tokenizer.pad_token_id
        return int(own if own is not None else (self._ends or [0])[0])

    def _written(self, tokens: list[int], asked: Asked) -> Written:
        finished = not set(self._ends).isdisjoint(tokens)
        text = self.tokenizer.decode(tokens, skip_special_tokens=True)
        return Written(text.strip(), finished, asked.read_all)


def writer(name: str, precision: Precision = "full") -> Writer:
    """The writing model of this name, loaded once."""
    return _opened(name, precision)


@lru_cache(maxsize=2)
def _opened(name: str, precision: Precision) -> Writer:
    source = source_of(name)
    if not _encodes(source):
        model = causal_model(name, precision)
        prompts = ChatPrompts(source, model.tokenizer)
        return Writer(source, model.tokenizer, model.network, prompts, model.longest, encodes=False)
    network = load_pretrained("AutoModelForSeq2SeqLM", source, precision)
    tokenizer = load_tokenizer(source)
    longest = _longest(network.config, tokenizer)
    return Writer(
        source, tokenizer, network, PrefixPrompts(source, tokenizer), longest, encodes=True
    )


def _encodes(source: Source) -> bool:
    """Whether the model has an encoder that reads and a decoder that writes."""
    transformers = library("transformers")
    config = said_plainly(
        source.name,
        lambda: transformers.AutoConfig.from_pretrained(
            source.folder, local_files_only=True, trust_remote_code=False
        ),
    )
    return bool(config.is_encoder_decoder)


def _longest(config: Any, tokenizer: Any) -> int:
    told = [getattr(config, name, None) for name in _POSITIONS]
    return int(min(filter(None, [*told, tokenizer.model_max_length, LONGEST])))


def _filled(sequences: Sequence[Sequence[int]], filler: int, *, left: bool) -> tuple[Any, Any]:
    """Sequences as one matrix, filled up on the side where the model does not go on, and a mask."""
    torch: Any = library("torch")
    longest = max(map(len, sequences))
    ids = torch.full((len(sequences), longest), filler)
    mask = torch.zeros((len(sequences), longest), dtype=torch.long)
    for row, tokens in enumerate(sequences):
        place = slice(longest - len(tokens), None) if left else slice(None, len(tokens))
        ids[row, place] = torch.tensor(tokens)
        mask[row, place] = 1
    return ids, mask
