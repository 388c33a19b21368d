"""Models that write: sequence-to-sequence ones (BART, T5) and instruction-tuned causal ones.

Which of the two a model is, its own settings say. A request is put to it after a prefix, or as a
turn of a chat; the text is never taken for a part of the template, so what looks like a special
token in it is plain text. Decoding is greedy or by beam search and never samples, so that the same
request gets the same answer. A long text is read from its beginning, as far as the model's window
goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from gistmark.errors import GistmarkError
from gistmark.models.language_models.causal import LONGEST, causal_model
from gistmark.models.loading import (
    Source,
    explained,
    load_pretrained,
    load_tokenizer,
    source_of,
)
from gistmark.models.runtime import Precision, library, one_at_a_time, quiet, run_all, token_budget
from gistmark.text import readable

TLDR = "\n\nTL;DR:"
"""Stands behind a text for a causal model without a form for chats (Radford et al., 2019)."""

_TEXT = "\ue000text\ue001"
_LONGEST_TOKEN = 64


@dataclass(frozen=True)
class Request:
    """A text, and what is to be done with it: an instruction, or the prefix that a model knows."""

    instruction: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """A request as tokens, and whether the whole text is in it."""

    tokens: list[int]
    read_all: bool


class Prompts(Protocol):
    """The form in which a model takes requests."""

    def build(self, request: Request, *, window: int, read: int) -> Prompt:
        """The request in at most `window` tokens, with at most `read` of its text's first ones."""


@dataclass(frozen=True)
class PrefixPrompts:
    """For sequence-to-sequence models: the prefix, then the text; both count as read."""

    source: Source
    tokenizer: Any

    def build(self, request: Request, *, window: int, read: int) -> Prompt:
        around = self.tokenizer.num_special_tokens_to_add()
        most = min(window, read + around)
        _check_budget(self.source, most - around, window)
        prefix = f"{request.instruction.rstrip()} " if request.instruction.strip() else ""
        full_text = f"{prefix}{request.text}"
        beginning = _readable_beginning(full_text, most)
        tokens = _tokens(self.tokenizer, beginning, truncation=True, max_length=most)
        all_tokens = len(_tokens(self.tokenizer, beginning, add_special_tokens=False)) + around
        return Prompt(tokens, read_all=all_tokens <= most and beginning == full_text)


@dataclass(frozen=True)
class ChatPrompts:
    """For causal models: the user's turn in the model's own chat template, then its answer.

    A model without a chat template gets the instruction, the text, and "TL;DR:".
    """

    source: Source
    tokenizer: Any

    def build(self, request: Request, *, window: int, read: int) -> Prompt:
        before, after = self._form(request.instruction)
        budget = min(window - len(before) - len(after), read)
        _check_budget(self.source, budget, window)
        beginning = _readable_beginning(request.text, budget)
        tokens = _tokens(self.tokenizer, beginning, add_special_tokens=False)
        read_all = len(tokens) <= budget and beginning == request.text
        return Prompt([*before, *tokens[:budget], *after], read_all)

    def _form(self, instruction: str) -> tuple[list[int], list[int]]:
        """The tokens before and after the text."""
        content = f"{instruction}\n\n{_TEXT}" if instruction else _TEXT
        if self.tokenizer.chat_template is None:
            prompt = f"{self.tokenizer.bos_token or ''}{content}{TLDR}"
        else:
            prompt = explained(self.source.name, lambda: self._chat(content))
        before, mark, after = prompt.partition(_TEXT)
        if not mark:
            raise GistmarkError(
                f"The chat template of the model {self.source.name} leaves out the user's message."
            )
        return self._encoded(before), self._encoded(after)

    def _chat(self, content: str) -> str:
        turn = [{"role": "user", "content": content}]
        return str(
            self.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
        )

    def _encoded(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])


def _check_budget(source: Source, budget: int, window: int) -> None:
    if budget < 1:
        raise GistmarkError(
            f"The model {source.name} has a window of {window:,} tokens here, which leaves no "
            "room for a text."
        )


def _readable_beginning(text: str, tokens: int) -> str:
    """The beginning of a text, as long as this many tokens could ever be."""
    return text[: tokens * _LONGEST_TOKEN]


def _tokens(tokenizer: Any, text: str, **settings: Any) -> list[int]:
    """The tokens of a text in which nothing is special."""
    return list(tokenizer(readable(text), split_special_tokens=True, **settings)["input_ids"])


@dataclass(frozen=True)
class NoRepeatedWords:
    """Forbids every token that would complete a run of `size` tokens that was written before.

    It looks at what was written from `start` on. The rule of transformers looks at the prompt as
    well, so that a causal model could never take over a phrase of the text that it summarises.
    """

    size: int
    start: int

    def __call__(self, ids: Any, scores: Any) -> Any:
        """The scores of the next token for each row, minus infinity where it is forbidden."""
        allowed = scores.clone()
        for row, tokens in enumerate(ids[:, self.start :].tolist()):
            forbidden = self.forbidden(tokens)
            if forbidden:
                allowed[row, forbidden] = -float("inf")
        return allowed

    def forbidden(self, tokens: list[int]) -> list[int]:
        """The tokens that may not come next."""
        prefix_size = self.size - 1
        if len(tokens) < self.size:
            return []
        prefix = tokens[len(tokens) - prefix_size :]
        return [
            tokens[start + prefix_size]
            for start in range(len(tokens) - prefix_size)
            if tokens[start : start + prefix_size] == prefix
        ]


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

    `encodes` says that it is a sequence-to-sequence model. `longest` is how many tokens it reads;
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
        prompts = [self._prompt(request, decoding) for request in requests]
        budget = token_budget(self.network.device)
        lengths = [len(prompt.tokens) for prompt in prompts]

        def work(indexes: list[int]) -> list[Written]:
            return self._batch([prompts[index] for index in indexes], decoding)

        with one_at_a_time():
            return run_all(work, lengths, budget, extra=decoding.most_tokens, at_once=False)

    def _prompt(self, request: Request, decoding: Decoding) -> Prompt:
        reserved = 0 if self.encodes else decoding.most_tokens
        return self.prompts.build(request, window=self.longest - reserved, read=decoding.read)

    def _batch(self, prompts: Sequence[Prompt], decoding: Decoding) -> list[Written]:
        torch: Any = library("torch")
        ids, mask = _pad([prompt.tokens for prompt in prompts], self._filler, left=not self.encodes)
        start = 1 if self.encodes else ids.shape[1]
        rules = [NoRepeatedWords(decoding.no_repeat, start)] if decoding.no_repeat else []
        device = self.network.device
        with torch.inference_mode(), quiet():
            generated = self.network.generate(
                input_ids=ids.to(device),
                attention_mask=mask.to(device),
                generation_config=self._settings(decoding),
                logits_processor=rules,
            )
        return [
            self._written(tokens[start:], prompt)
            for tokens, prompt in zip(generated.tolist(), prompts, strict=True)
        ]

    def _settings(self, decoding: Decoding) -> Any:
        """The model's own settings, but for what the request decides; nothing is sampled."""
        settings = self.network.generation_config.to_dict()
        settings |= {
            "max_length": None, "max_new_tokens": decoding.most_tokens, "min_length": 0,
            "min_new_tokens": None, "num_beams": decoding.beams, "num_return_sequences": 1,
            "do_sample": False, "temperature": None, "top_k": None, "top_p": None,
            "no_repeat_ngram_size": 0, "pad_token_id": self._filler,
            "eos_token_id": self._end_tokens, "early_stopping": decoding.beams > 1,
            "forced_eos_token_id": None, "return_dict_in_generate": False,
        }  # fmt: skip
        return library("transformers").GenerationConfig(**settings)

    @property
    def _end_tokens(self) -> list[int]:
        """The tokens that end a text: the model's, and the one that ends a turn of a chat."""
        model_end = self.network.generation_config.eos_token_id
        ends = model_end if isinstance(model_end, list) else [model_end]
        return [
            token
            for token in dict.fromkeys([*ends, self.tokenizer.eos_token_id])
            if token is not None
        ]

    @property
    def _filler(self) -> int:
        pad_token = self.tokenizer.pad_token_id
        return int(pad_token if pad_token is not None else (self._end_tokens or [0])[0])

    def _written(self, tokens: list[int], prompt: Prompt) -> Written:
        finished = not set(self._end_tokens).isdisjoint(tokens)
        text = self.tokenizer.decode(tokens, skip_special_tokens=True)
        return Written(text.strip(), finished, prompt.read_all)


def writer(name: str, precision: Precision = "full") -> Writer:
    """The writing model of this name, loaded once."""
    return _load_writer(name, precision)


@lru_cache(maxsize=2)
def _load_writer(name: str, precision: Precision) -> Writer:
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
    config = explained(
        source.name,
        lambda: transformers.AutoConfig.from_pretrained(
            source.folder, local_files_only=True, trust_remote_code=False
        ),
    )
    return bool(config.is_encoder_decoder)


def _longest(config: Any, tokenizer: Any) -> int:
    limits = [getattr(config, name, None) for name in _POSITIONS]
    return int(min(filter(None, [*limits, tokenizer.model_max_length, LONGEST])))


def _pad(sequences: Sequence[Sequence[int]], filler: int, *, left: bool) -> tuple[Any, Any]:
    """Sequences as one matrix, filled up on the side where the model does not go on, and a mask."""
    torch: Any = library("torch")
    longest = max(map(len, sequences))
    ids = torch.full((len(sequences), longest), filler)
    mask = torch.zeros((len(sequences), longest), dtype=torch.long)
    for row, tokens in enumerate(sequences):
        span = slice(longest - len(tokens), None) if left else slice(None, len(tokens))
        ids[row, span] = torch.tensor(tokens)
        mask[row, span] = 1
    return ids, mask
