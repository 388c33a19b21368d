"""Opening a judge: behind a server, or a model on this machine."""

from __future__ import annotations

import os
from functools import lru_cache

from gistmark.errors import UsageError
from gistmark.judges.chat import ChatServer, checked_address
from gistmark.judges.judge import WORDS, Judge
from gistmark.judges.limits import Limits, Meter, current_meter
from gistmark.judges.server import (
    SAMPLES,
    TOKENS,
    Answers,
    Manner,
    Offer,
    ServerJudge,
    Writing,
    offer_of,
    settled,
)
from gistmark.metrics.options import LANGUAGE_MODEL
from gistmark.models.runtime import Precision

URL = "GISTMARK_JUDGE_URL"
MODEL = "GISTMARK_JUDGE_MODEL"
TIMEOUT = 120.0


def server_of(given: str | None) -> str | None:
    """The address of the server to use: the given one, or the environment's, if any."""
    address = given or os.environ.get(URL) or None
    return None if address is None else checked_address(address)


def model_of(given: str | None, address: str | None) -> str:
    """The model to use; on this machine, the embedded one unless another is named."""
    name = given or os.environ.get(MODEL)
    if name:
        return name
    if address is None:
        return LANGUAGE_MODEL
    raise UsageError(
        f"Say which model of the server is the judge: --judge-model, {MODEL}, or the option model."
    )


def open_judge(
    *,
    server: str | None = None,
    model: str | None = None,
    limits: Limits | None = None,
    answers: Answers = "auto",
    form: Writing = "auto",
    samples: int = SAMPLES,
    temperature: float = 1.0,
    tokens: int = TOKENS,
    words: int = WORDS,
    timeout: float = TIMEOUT,
) -> Judge:
    """The judge behind a server, or without one a causal model on this machine.

    Without `server` and `model`, those of GISTMARK_JUDGE_URL and GISTMARK_JUDGE_MODEL; the key is
    that of GISTMARK_JUDGE_KEY. A server is asked one small question, so that one that is down, or
    refuses the key or the model, is an error before any work is done.
    """
    manner = Manner(answers, form, samples, temperature, tokens, words)
    address = server_of(server)
    name = model_of(model, address)
    meter = current_meter() if limits is None else Meter(limits)
    if address is None:
        return local_judge(name, words=words, meter=meter)
    return connected(address, name, manner, meter, timeout)


def connected(
    address: str, model: str, manner: Manner, meter: Meter, timeout: float = TIMEOUT
) -> ServerJudge:
    """A judge behind a server; what the server offers is found out once for each meter."""
    offer = _offer(address, model, manner.tokens, meter, timeout)
    return ServerJudge(ChatServer(address, meter, timeout), model, settled(manner, offer), offer)


def local_judge(model: str, *, words: int, meter: Meter, precision: Precision = "full") -> Judge:
    """A causal model on this machine."""
    from gistmark.judges.local import LocalJudge

    return LocalJudge(model, words=words, precision=precision, meter=meter)


@lru_cache(maxsize=32)
def _offer(address: str, model: str, tokens: int, meter: Meter, timeout: float) -> Offer:
    return offer_of(ChatServer(address, meter, timeout), model, tokens)
