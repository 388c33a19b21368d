"""Options of the metric `judge`: which question is put to which model, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from gistmark.errors import UsageError
from gistmark.judges.chat import address_hash
from gistmark.judges.judge import WORDS
from gistmark.judges.opening import model_of, server_of
from gistmark.judges.prompts import NO_FILE
from gistmark.judges.questions import Subject, dimensions_of, protocol_with
from gistmark.judges.server import SAMPLES, TOKENS, Answers, Manner, Writing
from gistmark.metrics.options import ModelOptions
from gistmark.options import option
from gistmark.signature import without_hash

Shows = Literal["protocol", "document", "reference", "both", "nothing"]

ALL = "all"
NO_SERVER = "none"


@dataclass(frozen=True)
class JudgeOptions(ModelOptions):
    """Which question is put to which model, and how.

    The server and the model are those of the environment unless they are given.
    """

    dimension: str = option("overall", "what is judged, or all: every dimension of the protocol")
    protocol: str = option("", "a protocol or its JSON file; by default one with this dimension")
    model: str = option("", "the server's name for the judge, or a causal model on this machine")
    server: str = option("", "the address of a server, such as http://localhost:8000/v1")
    shows: Shows = option("protocol", "what the judge reads besides the summary")
    answers: Answers = option("auto", "weighted by log-probabilities, or by several samples")
    form: Writing = option("auto", "whether the answer is the number alone, or JSON by a schema")
    samples: int = option(SAMPLES, "answers=samples: how many answers are sampled", least=1)
    temperature: float = option(1.0, "answers=samples: their temperature")
    tokens: int = option(TOKENS, "how many tokens an answer may have", least=1)
    words: int = option(WORDS, "how many words of a document are read at most", least=1)
    rubric: str = option(NO_FILE, "a text file that says what the points of the scale mean")
    steps: str = option(NO_FILE, "a text file with the steps of the evaluation")
    examples: str = option(NO_FILE, "a text file with examples")

    subject: ClassVar[Subject] = "summary"

    def __post_init__(self) -> None:
        super().__post_init__()
        address = self._address()
        self._settle("server", NO_SERVER if address is None else address)
        self._settle("model", model_of(self.model, address))
        self._settle("dimension", without_hash(self.dimension))
        if address is None:
            self._settle("answers", "logprobs")
            self._settle("form", "plain")
        if self.dimension != ALL:
            protocol = protocol_with(self.dimension, self.protocol, self.subject)
            self._settle("protocol", self.protocol or protocol.name)
            self._settle("dimension", dimensions_of(protocol, [self.dimension])[0].name)

    def _settle(self, name: str, value: str) -> None:
        object.__setattr__(self, name, value)

    def _address(self) -> str | None:
        """The server's address, of which a signature shows only a hash."""
        if self.server == NO_SERVER:
            return None
        if not self.server.startswith("@"):
            return server_of(self.server)
        address = server_of(None)
        if address is None or f"@{address_hash(address)}" != self.server:
            raise UsageError(
                "This judge is on another server than the one of --judge-url or GISTMARK_JUDGE_URL."
            )
        return address

    @property
    def manner(self) -> Manner:
        return Manner(
            self.answers, self.form, self.samples, self.temperature, self.tokens, self.words
        )


@dataclass(frozen=True)
class PairOptions(JudgeOptions):
    """The same for a protocol of comparisons."""

    dimension: str = option("Overall Quality", "the dimension in which the summaries are compared")
    subject: ClassVar[Subject] = "pair"
