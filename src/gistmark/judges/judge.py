"""What a judge is: a model that answers questions with a closed set of options.

A question shows texts and offers options, such as the points of a scale. The judge's opinion is how
likely it holds each option: by its log-probabilities, or by how often it gives each as an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, Protocol

from gistmark.text import word_spans

if TYPE_CHECKING:
    from gistmark.judges.limits import Meter

Form = Literal["plain", "json"]
"""How an answer is written: the option alone, or as JSON by a schema."""

WORDS = 6_000
"""A judge reads this many words of a longer document, from its beginning, by default."""

MACHINE = "machine:"
_HASH = 12
CUT = "[The text is cut here.]"


def machine_name(label: str) -> str:
    """The annotator name of a judge, such as `machine:gpt-4o`, which no one takes for a person."""
    return f"{MACHINE}{label}"


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that a judge is shown under a heading; only one that `may_be_cut` is ever cut."""

    heading: str
    text: str
    may_be_cut: bool = False

    def cut(self, words: int) -> Passage:
        """Its first words, with a line that says so where there are more."""
        spans = word_spans(self.text, "words") if self.may_be_cut else ()
        if len(spans) <= words:
            return self
        return replace(self, text=f"{self.text[: spans[words - 1][1]]}\n{CUT}")


@dataclass(frozen=True)
class Prompt:
    """A question: what is asked, the texts it is about, and the options to answer with.

    `options` maps what the judge writes, such as `2`, to what that stands for. `answer_line` says
    in words what may be written.
    """

    question: str
    passages: tuple[Passage, ...]
    options: Mapping[str, str]
    answer_line: str
    numeric: bool = field(default=False)

    def content(self, form: Form = "plain") -> str:
        """The whole prompt as one text."""
        shown = [_between(passage.heading, passage.text) for passage in self.passages]
        return "\n\n".join([self.question, *shown, self.ending(form)])

    def ending(self, form: Form = "plain") -> str:
        """The last lines, which say how to answer."""
        if form == "plain":
            return f"{self.answer_line} Write nothing else."
        return f'{self.answer_line} Write it as JSON with the single field "answer".'

    def cut(self, words: int) -> Prompt:
        """The prompt with its document cut to so many words."""
        return replace(self, passages=tuple(passage.cut(words) for passage in self.passages))

    @property
    def is_cut(self) -> bool:
        """Whether a text is cut."""
        return any(passage.may_be_cut and passage.text.endswith(CUT) for passage in self.passages)

    @property
    def digest(self) -> str:
        """The start of a hash of everything but the texts: equal where the same is asked."""
        blank = tuple(replace(passage, text="") for passage in self.passages)
        fixed = replace(self, passages=blank)
        both = "\n".join((fixed.content("plain"), fixed.ending("json"), *self.options))
        return sha256(both.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]


@dataclass(frozen=True)
class Opinion:
    """How likely a judge holds each option; `shares` sum to 1, and are empty without an answer.

    `reason` says why there is none. A `transient` one may be gone when the judge is asked again:
    the server did not answer, or a limit was reached.
    """

    shares: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None
    transient: bool = False

    @property
    def value(self) -> float | None:
        """The mean of the options, which must be numbers, weighted by their shares."""
        if not self.shares:
            return None
        return sum(float(option) * share for option, share in self.shares.items())

    @property
    def choice(self) -> str | None:
        """The likeliest option, the first of several."""
        return max(self.shares, key=lambda option: self.shares[option], default=None)


class Judge(Protocol):
    """A model that answers questions; `label` names it wherever people read of it."""

    @property
    def label(self) -> str:
        """The model's name, without where it runs."""

    @property
    def meter(self) -> Meter:
        """What it has been asked so far, and what that cost."""

    def ask(self, prompts: Sequence[Prompt]) -> list[Opinion]:
        """An opinion on each prompt, in order."""


def _between(heading: str, text: str) -> str:
    """A text between tags; one that has the closing tag in it gets other tags."""
    tag = heading.lower().replace(" ", "-")
    while f"</{tag}>" in text:
        tag += "-text"
    return f"{heading}:\n<{tag}>\n{text}\n</{tag}>"
