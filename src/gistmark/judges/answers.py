"""Reading a judge's answer: strictly, since a number within a sentence may mean something else.

An answer is one of the options, alone or as JSON with the single field `answer`. Where the server
gives the log-probabilities of tokens, the token that is the answer tells how likely the other
options were: G-Eval's probability-weighted score (Liu and others, 2023).
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from gistmark.judges.chat import Completion
from gistmark.judges.judge import Prompt
from gistmark.runtime.http import shortened

FIELD = "answer"
_FENCE = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_AROUND = " \t\r\n\"'`*_.()[]{}:,“”‘’"
_SHOWN = 60


class UnreadableError(Exception):
    """An answer that is none of the options; the message says what is wrong with it."""


def schema(prompt: Prompt) -> dict[str, Any]:
    """The `response_format` that allows the options alone."""
    written: list[Any] = [int(option) if prompt.numeric else option for option in prompt.options]
    kind = "integer" if prompt.numeric else "string"
    return {
        "type": "json_schema",
        "json_schema": {
            "name": FIELD,
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {FIELD: {"type": kind, "enum": written}},
                "required": [FIELD],
                "additionalProperties": False,
            },
        },
    }


def read_answer(completion: Completion, prompt: Prompt) -> str:
    """The option that was answered, as it is written; `UnreadableError` where there is none."""
    text = _FENCE.sub(r"\1", _THOUGHT.sub("", completion.text).strip())
    if not text:
        ended = " before it began" if completion.finish == "length" else ""
        raise UnreadableError(f"the answer is empty{ended}")
    given = _from_json(text) if text.startswith("{") else text.strip(_AROUND)
    if given in prompt.options:
        return given
    if completion.finish == "length":
        raise UnreadableError(f"the answer was cut off: {_shown(text)}")
    raise UnreadableError(f"the answer is none of the options: {_shown(text)}")


def shares_of(completion: Completion, prompt: Prompt, answer: str) -> dict[str, float] | None:
    """How likely each option was at the answer's position; None if the tokens do not show it.

    Tokens that differ only in blanks and marks around them, such as ` 4` and `4`, count together.
    """
    position = _position(completion, answer)
    if position is None or completion.tokens is None:
        return None
    token = completion.tokens[position]
    listed = token.get("top_logprobs")
    alternatives = [each for each in listed if isinstance(each, dict)] if listed else []
    if not any(each.get("token") == token.get("token") for each in alternatives):
        alternatives.append(dict(token))
    weights = dict.fromkeys(prompt.options, 0.0)
    for alternative in alternatives:
        option = str(alternative.get("token", "")).strip(_AROUND)
        logprob = alternative.get("logprob")
        if option in weights and isinstance(logprob, int | float) and not math.isnan(logprob):
            weights[option] += math.exp(min(float(logprob), 0.0))
    total = sum(weights.values())
    if not total > 0:
        return None
    return {prompt.options[option]: weight / total for option, weight in weights.items() if weight}


def _position(completion: Completion, answer: str) -> int | None:
    """The last token that is the answer and nothing else."""
    texts = [str(token.get("token", "")).strip(_AROUND) for token in completion.tokens or ()]
    return max((index for index, text in enumerate(texts) if text == answer), default=None)


def _from_json(text: str) -> str:
    try:
        parsed = json.loads(text)
    except ValueError:
        return ""
    value = parsed.get(FIELD) if isinstance(parsed, dict) and len(parsed) == 1 else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else ""
    return str(value).strip()


def _shown(text: str) -> str:
    return f"“{shortened(' '.join(text.split()), _SHOWN)}”"
