"""A judge behind a server: what it offers, how it is asked, and one attempt to repair an answer.

A judge with log-probabilities is asked once, at temperature 0, and the options are weighted by how
likely they were. One without, or a question with options of several characters (a slider from 1 to
100, whose numbers many models write digit by digit), is asked several times, and the options are
weighted by how often each was the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from gistmark.judges.answers import UnreadableError, read_answer, schema, shares_of
from gistmark.judges.chat import (
    ChatServer,
    Completion,
    RefusedError,
    ServerError,
    UnansweredError,
    approximate_tokens,
)
from gistmark.judges.judge import WORDS, Form, Opinion, Passage, Prompt
from gistmark.judges.limits import LimitReachedError, Meter

Answers = Literal["auto", "logprobs", "samples"]
Writing = Literal["auto", "plain", "json"]

TOP, FEW = 20, 5
"""How many alternatives to a token are requested, and the number where a server allows fewer."""
SAMPLES = 5
TOKENS = 64
_NO_LOGPROBS = "the server gave no log-probabilities for this answer"
_ONE = Prompt("This is a test.", (Passage("Text", "ok"),), {"1": "1", "2": "2"},
              "Answer with 1 or 2.", numeric=True)  # fmt: skip


@dataclass(frozen=True)
class Manner:
    """How a judge is asked: all that its values depend on besides the model and the prompt.

    `answers` and `form` are `auto` until it is known what the server offers.
    """

    answers: Answers = "auto"
    form: Writing = "auto"
    samples: int = SAMPLES
    temperature: float = 1.0
    tokens: int = TOKENS
    words: int = WORDS


@dataclass(frozen=True)
class Offer:
    """What a server offers: log-probabilities, answers by a schema, and names of parameters."""

    logprobs: bool = True
    schema: bool = True
    seed: bool = True
    temperature: bool = True
    top: int = TOP
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def without(self, message: str) -> Offer | None:
        """The next offer to try after a refusal, by what it names; None if nothing is left."""
        if self.limit == "max_tokens" and "max_completion_tokens" in message:
            return replace(self, limit="max_completion_tokens")
        if self.logprobs and self.top > FEW and "top_logprobs" in message:
            return replace(self, top=FEW)
        named = {"schema": "response_format", "logprobs": "logprobs", "seed": "seed",
                 "temperature": "temperature"}  # fmt: skip
        there = [name for name in named if getattr(self, name)]
        for name in sorted(there, key=lambda name: named[name] not in message):
            off: dict[str, Any] = {name: False}
            return replace(self, **off)
        return None


@dataclass(frozen=True)
class ServerJudge:
    """A model that a server runs."""

    server: ChatServer
    model: str
    manner: Manner
    offer: Offer

    @property
    def label(self) -> str:
        return self.model

    @property
    def meter(self) -> Meter:
        return self.server.meter

    def requests_for(self, prompt: Prompt) -> int:
        """How many requests a prompt takes when every answer can be read."""
        return 1 if self._weighs(prompt) else self.manner.samples

    def ask(self, prompts: Sequence[Prompt]) -> list[Opinion]:
        if not prompts:
            return []
        cut = [prompt.cut(self.manner.words) for prompt in prompts]
        with ThreadPoolExecutor(min(self.meter.limits.parallel, len(cut))) as pool:
            jobs = [pool.submit(copy_context().run, partial(self._opinion, each)) for each in cut]
            try:
                return [job.result() for job in jobs]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _weighs(self, prompt: Prompt) -> bool:
        return self.manner.answers == "logprobs" and weighable(prompt)

    def _opinion(self, prompt: Prompt) -> Opinion:
        try:
            if not self._weighs(prompt):
                return self._sampled(prompt)
            completion, answer = self._answer(prompt, seed=0, temperature=0.0)
            shares = shares_of(completion, prompt, answer)
            if shares is None:
                return Opinion(reason=_NO_LOGPROBS, transient=True)
            return Opinion(shares)
        except (RefusedError, UnreadableError) as error:
            return Opinion(reason=str(error))
        except (UnansweredError, LimitReachedError) as error:
            return Opinion(reason=str(error), transient=True)

    def _sampled(self, prompt: Prompt) -> Opinion:
        """How often each option was the answer; a majority of the samples must be readable."""
        counts: Counter[str] = Counter()
        faults: list[str] = []
        for seed in range(self.manner.samples):
            try:
                _, answer = self._answer(prompt, seed=seed, temperature=self.manner.temperature)
            except UnreadableError as error:
                faults.append(str(error))
            else:
                counts[prompt.options[answer]] += 1
        total = sum(counts.values())
        if len(faults) >= total:
            raise UnreadableError(faults[0])
        return Opinion({option: count / total for option, count in counts.items()})

    def _answer(self, prompt: Prompt, *, seed: int, temperature: float) -> tuple[Completion, str]:
        """An answer that can be read, at the second try if need be."""
        messages = [{"role": "user", "content": prompt.content(self.form)}]
        completion = self._complete(prompt, messages, seed, temperature)
        try:
            return completion, read_answer(completion, prompt)
        except UnreadableError as error:
            again = f"This cannot be used: {error}. {prompt.ending(self.form)}"
            messages.append({"role": "assistant", "content": completion.text})
            messages.append({"role": "user", "content": again})
        completion = self._complete(prompt, messages, seed, 0.0)
        return completion, read_answer(completion, prompt)

    def _complete(
        self, prompt: Prompt, messages: list[dict[str, str]], seed: int, temperature: float
    ) -> Completion:
        manner, offer = self.manner, self.offer
        body = _body(self.model, messages, manner, offer, prompt, self.form, seed, temperature)
        completion = self.server.complete(body)
        if completion.refusal is not None:
            raise RefusedError("the judge refused to answer")
        if completion.finish == "content_filter":
            raise RefusedError("the server's content filter stopped the answer")
        return completion

    @property
    def form(self) -> Form:
        """How answers are written."""
        return "json" if self.manner.form == "json" else "plain"


def weighable(prompt: Prompt) -> bool:
    """Whether a single token can be each of the answers, whatever the tokenizer."""
    return all(len(option) == 1 for option in prompt.options)


def offer_of(server: ChatServer, model: str, tokens: int) -> Offer:
    """What a server offers, found out by asking it one small question."""
    offer = Offer()
    while True:
        try:
            completion = _test(server, model, tokens, offer)
            break
        except RefusedError as error:
            following = offer.without(str(error))
            if following is None:
                raise ServerError(f"The judge cannot be used: {error}.") from None
            offer = following
        except (UnansweredError, LimitReachedError) as error:
            raise ServerError(f"The judge cannot be used: {error}.") from None
    if offer.logprobs and completion.tokens is None:
        offer = replace(offer, logprobs=False)
    if offer.schema and not completion.text.strip().startswith("{"):
        offer = replace(offer, schema=False)
    return offer


def expected_tokens(prompt: Prompt, form: Form) -> int:
    """About how many tokens a judge reads of a prompt."""
    return approximate_tokens(prompt.content(form))


def settled(manner: Manner, offer: Offer) -> Manner:
    """The manner with what it leaves to the server (`auto`) settled.

    If it demands something that the server does not offer, that is an error.
    """
    if manner.answers == "logprobs" and not offer.logprobs:
        raise ServerError(
            "The judge's server offers no log-probabilities for this model; leave out "
            "answers=logprobs, and several samples are taken instead."
        )
    if manner.form == "json" and not offer.schema:
        raise ServerError(
            "The judge's server does not answer by a JSON schema; leave out form=json."
        )
    return replace(
        manner,
        answers="logprobs" if offer.logprobs and manner.answers != "samples" else "samples",
        form="json" if offer.schema and manner.form != "plain" else "plain",
    )


def _test(server: ChatServer, model: str, tokens: int, offer: Offer) -> Completion:
    form: Form = "json" if offer.schema else "plain"
    messages = [{"role": "user", "content": _ONE.content(form)}]
    return server.complete(_body(model, messages, Manner(tokens=tokens), offer, _ONE, form))


def _body(
    model: str, messages: Sequence[Mapping[str, str]], manner: Manner, offer: Offer,
    prompt: Prompt, form: Form, seed: int = 0, temperature: float = 0.0,
) -> dict[str, Any]:  # fmt: skip
    body: dict[str, Any] = {"model": model, "messages": list(messages), offer.limit: manner.tokens}
    if offer.logprobs and (manner.answers != "samples"):
        body |= {"logprobs": True, "top_logprobs": offer.top}
    if form == "json":
        body["response_format"] = schema(prompt)
    if offer.seed:
        body["seed"] = seed
    if offer.temperature:
        body["temperature"] = temperature
    return body
