"""A judge on this machine: a causal language model, by its log-probabilities, writing nothing.

The prompt is put as the user's turn of a chat, in the model's own form, or plainly where the model
has none. How likely the model would answer with each option is computed exactly; where one option
is the beginning of another, as 1 is of 10, the end of the answer counts too. What looks like a
special token in a text is plain text. A document is cut at its end to what the model reads; a
summary never is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmark.judges.judge import CUT, Opinion, Prompt
from gistmark.judges.limits import Meter, current_meter
from gistmark.models.loading import explained, label_of
from gistmark.signature import without_hash
from gistmark.text import readable

if TYPE_CHECKING:
    from gistmark.models.language_models.causal import CausalModel, Tokens
    from gistmark.models.runtime import Precision

TOO_LONG = "the texts are longer than the judge can read, even without the document"
_MARK = "\ue000{}\ue001"
_MARKED = re.compile("\ue000(\\d+)\ue001")
_PLAIN_END = "\n\nAnswer:"
_LEAST_DOCUMENT = 64
"""At least this many tokens of a document must fit: a judge that sees less does not know it."""


@dataclass(frozen=True)
class LocalJudge:
    """A causal model of this machine or of the hub."""

    model: str
    words: int
    precision: Precision = "full"
    meter: Meter = field(default_factory=current_meter)

    @property
    def label(self) -> str:
        return without_hash(label_of(self.model))

    def ask(self, prompts: Sequence[Prompt]) -> list[Opinion]:
        from gistmark.models.language_models.causal import Query, causal_model

        model = causal_model(self.model, self.precision)
        reader = _Reader(model)
        contexts = [reader.context(prompt.cut(self.words)) for prompt in prompts]
        queries = [
            [
                Query(context, answer, tuple(range(len(answer))))
                for answer in reader.answers(tuple(prompt.options))
            ]
            for prompt, context in zip(prompts, contexts, strict=True)
            if context is not None
        ]
        predictions = iter(model.predict([query for group in queries for query in group]))
        opinions = []
        for prompt, context in zip(prompts, contexts, strict=True):
            if context is None:
                opinions.append(Opinion(reason=TOO_LONG))
            else:
                answers = [next(predictions) for _ in prompt.options]
                likelihoods = np.array([float(answer.likelihoods.sum()) for answer in answers])
                weights = np.exp(likelihoods - max(likelihoods))
                shares = (weights / weights.sum()).tolist()
                opinions.append(Opinion(dict(zip(prompt.options.values(), shares, strict=True))))
        return opinions


@dataclass(frozen=True)
class _Reader:
    """Turns prompts and answers into tokens of a model."""

    model: CausalModel

    def context(self, prompt: Prompt) -> Tokens | None:
        """The prompt up to where the answer begins; None where it does not fit in."""
        marked = replace(
            prompt,
            passages=tuple(
                replace(each, text=_MARK.format(index))
                for index, each in enumerate(prompt.passages)
            ),
        )
        pieces = _MARKED.split(self._form(marked.content()))
        forms = [self._encoded(text) for text in pieces[::2]]
        texts = [self._encoded(passage.text, plain=True) for passage in prompt.passages]
        longest = max(map(len, self.answers(tuple(prompt.options))))
        fixed = sum(map(len, forms)) + longest + 1
        cut = self._cut(prompt, texts, self.model.longest - fixed)
        if cut is None:
            return None
        tokens = [*forms[0]]
        for number, form in zip(pieces[1::2], forms[1:], strict=True):
            tokens += [*cut[int(number)], *form]
        return tuple(tokens[1:] if tokens[0] == self.model.start else tokens)

    def answers(self, options: tuple[str, ...]) -> list[Tokens]:
        """The tokens of the answers, with an end where one is the beginning of another."""
        blank = "" if self._has_form else " "
        ambiguous = any(a != b and b.startswith(a) for a in options for b in options)
        end = self._end if ambiguous else ()
        return [(*self._encoded(f"{blank}{option}", plain=True), *end) for option in options]

    def _cut(self, prompt: Prompt, texts: list[list[int]], budget: int) -> list[list[int]] | None:
        """The texts within a budget of tokens, the document cut; None where that is not enough."""
        if sum(map(len, texts)) <= budget:
            return texts
        index = next((i for i, each in enumerate(prompt.passages) if each.may_be_cut), None)
        if index is None:
            return None
        mark = self._encoded(f"\n{CUT}", plain=True)
        left = budget - sum(map(len, texts)) + len(texts[index]) - len(mark)
        if left < _LEAST_DOCUMENT:
            return None
        return [*texts[:index], [*texts[index][:left], *mark], *texts[index + 1 :]]

    @property
    def _has_form(self) -> bool:
        return self.model.tokenizer.chat_template is not None

    @property
    def _end(self) -> Tokens:
        """What ends an answer."""
        token = self.model.tokenizer.eos_token_id if self._has_form else None
        return tuple(self._encoded("\n")) if token is None else (int(token),)

    def _form(self, content: str) -> str:
        """A prompt in the model's form for chats."""
        if not self._has_form:
            return content + _PLAIN_END
        turn = [{"role": "user", "content": content}]
        return str(
            explained(
                self.model.source.name,
                lambda: self.model.tokenizer.apply_chat_template(
                    turn, tokenize=False, add_generation_prompt=True
                ),
            )
        )

    def _encoded(self, text: str, *, plain: bool = False) -> list[int]:
        """The tokens of a text; in a `plain` one nothing is special."""
        ids = self.model.tokenizer(
            readable(text), add_special_tokens=False, split_special_tokens=plain
        )
        return list(ids["input_ids"])
