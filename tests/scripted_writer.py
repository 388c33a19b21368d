"""A writer that says what a test tells it to say, in place of a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from gistmark.models.language_models.writers import Decoding, Request, Written


@dataclass
class ScriptedWriter:
    """Answers requests in turn and remembers them; when the script is over it says nothing."""

    answers: list[Written]
    encodes: bool = False
    prefix: str = ""
    asked: list[Request] = field(default_factory=list)
    decoding: list[Decoding] = field(default_factory=list)

    def write(self, requests: list[Request], decoding: Decoding) -> list[Written]:
        self.asked += requests
        self.decoding.append(decoding)
        return [self.answers.pop(0) if self.answers else Written("") for _ in requests]


def script(
    patch: pytest.MonkeyPatch, answers: Iterable[str | Written], **facts: Any
) -> ScriptedWriter:
    """Let every system that writes get these answers from its model."""
    made = [Written(answer) if isinstance(answer, str) else answer for answer in answers]
    writer = ScriptedWriter(made, **facts)
    patch.setattr("gistmark.models.language_models.writers.writer", lambda *_: writer)
    return writer
