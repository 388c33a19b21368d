"""How a request is put to a model that writes: behind a prefix, or as a turn of a chat.

The text is never taken for a part of the form: what looks like a special token in it is plain text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from gistmark.errors import GistmarkError
from gistmark.models.loading import Source, said_plainly
from gistmark.text import readable

TLDR = "\n\nTL;DR:"
"""Stands behind a text for a causal model without a form for chats (Radford et al., 2019)."""

_PLACE = "\ue000text\ue001"
_LONGEST_TOKEN = 64


@dataclass(frozen=True)
class Request:
    """A text, and what is to be done with it: an instruction, or the prefix that a model knows."""

    instruction: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A request as tokens, and whether the whole text is in it."""

    tokens: list[int]
    read_all: bool


class Prompts(Protocol):
    """The form in which a model takes requests."""

    def ask(self, request: Request, *, window: int, read: int) -> Asked:
        """The request in at most `window` tokens, with at most `read` of its text's first ones."""


@dataclass(frozen=True)
class PrefixPrompts:
    """For sequence-to-sequence models: the prefix, then the text; both count as read."""

    source: Source
    tokenizer: Any

    def ask(self, request: Request, *, window: int, read: int) -> Asked:
        around = self.tokenizer.num_special_tokens_to_add()
        most = min(window, read + around)
        _check_room(self.source, most - around, window)
        prefix = f"{request.instruction.rstrip()} " if request.instruction.strip() else ""
        whole = f"{prefix}{request.text}"
        near = _near(whole, most)
        tokens = _tokens(self.tokenizer, near, truncation=True, max_length=most)
        all_tokens = len(_tokens(self.tokenizer, near, add_special_tokens=False)) + around
        return Asked(tokens, read_all=all_tokens <= most and near == whole)


@dataclass(frozen=True)
class ChatPrompts:
    """For causal models: the user's turn of a chat in the model's own form, then its answer.

    A model that has no form for chats gets the instruction, the text, and "TL;DR:".
    """

    source: Source
    tokenizer: Any

    def ask(self, request: Request, *, window: int, read: int) -> Asked:
        before, after = self._form(request.instruction)
        room = min(window - len(before) - len(after), read)
        _check_room(self.source, room, window)
        near = _near(request.text, room)
        tokens = _tokens(self.tokenizer, near, add_special_tokens=False)
        read_all = len(tokens) <= room and near == request.text
        return Asked([*before, *tokens[:room], *after], read_all)

    def _form(self, instruction: str) -> tuple[list[int], list[int]]:
        """The tokens before and after the text."""
        content = f"{instruction}\n\n{_PLACE}" if instruction else _PLACE
        if self.tokenizer.chat_template is None:
            shown = f"{self.tokenizer.bos_token or ''}{content}{TLDR}"
        else:
            shown = said_plainly(self.source.name, lambda: self._chat(content))
        before, found, after = shown.partition(_PLACE)
        if not found:
            raise GistmarkError(
                f"The chat form of the model {self.source.name} leaves out what the user says."
            )
        return self._encoded(before), self._encoded(after)

    def _chat(self, content: str) -> str:
        turn = [{"role": "user", "content": content}]
        return str(
            self.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
        )

    def _encoded(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])


def _check_room(source: Source, room: int, window: int) -> None:
    if room < 1:
        raise GistmarkError(
            f"The model {source.name} has a window of {window:,} tokens here, which leaves no "
            "room for a text."
        )


def _near(text: str, tokens: int) -> str:
    """As much of the beginning of a text as so many tokens could ever hold."""
    return text[: tokens * _LONGEST_TOKEN]


def _tokens(tokenizer: Any, text: str, **settings: Any) -> list[int]:
    """The tokens of a text in which nothing is special."""
    return list(tokenizer(readable(text), split_special_tokens=True, **settings)["input_ids"])
