"""The options of the metric `pyramid`, and which models they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gistmark.errors import UsageError
from gistmark.metrics.options import (
    LANGUAGE_MODEL,
    SENTENCE_ENCODER,
    Against,
    LanguageOptions,
    ModelOptions,
)
from gistmark.options import option
from gistmark.signature import without_hash

PARSER = "en_core_web_sm"

Units = Literal["auto", "written", "extracted"]
Presence = Literal["auto", "words", "embeddings", "lm", "nli", "combined"]
Classes = Literal["p2c", "l2c", "p3c", "l3c"]
Match = Literal["each", "assign"]

_DEFAULT_MODELS = {
    "embeddings": SENTENCE_ENCODER, "combined": SENTENCE_ENCODER, "lm": LANGUAGE_MODEL,
}  # fmt: skip


@dataclass(frozen=True)
class PyramidOptions(LanguageOptions, ModelOptions):
    """Which units count, and how they are looked for.

    `presence=auto` is `nli` where a model is given, and otherwise `combined` with the embedded
    encoder, which its coefficients were fitted to.
    """

    model: str = option(
        "",
        "the model that looks for units: of inference (nli), a language model (lm) or an encoder; "
        "left out: the embedded one (nli has none)",
        implied=True,
    )  # fmt: skip
    units: Units = option(
        "auto", "units that people wrote, or those of the references; auto: whichever there are"
    )
    against: Against = option(
        "references",
        "what units are extracted from: the references, or the document and all of its texts",
        implied=True,
    )
    presence: Presence = option(
        "auto", "how a unit is looked for; auto: nli if a model is given, otherwise combined"
    )
    match: Match = option(
        "each", "each unit in the whole summary, or at most one unit in each of its facts"
    )
    nli: Classes = option("p2c", "presence=nli: how the classes give a value", implied=True)
    parser: str = option(
        PARSER, "a pipeline of spaCy with a parser, which finds the facts of a text", implied=True
    )

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)
        object.__setattr__(self, "parser", without_hash(self.parser))
        if self.against == "document":
            if self.units == "written":
                raise UsageError("against=document extracts units; leave out units=written.")
            object.__setattr__(self, "units", "extracted")
        if self.presence == "auto":
            object.__setattr__(self, "presence", "nli" if self.model else "combined")
        if self.presence == "nli" and not self.model:
            raise UsageError(
                "presence=nli needs a model of inference, such as model=roberta-large-mnli."
            )
        if self.presence == "words" and self.model:
            raise UsageError("presence=words takes no model, so leave model out.")
        if not self.model:
            object.__setattr__(self, "model", _DEFAULT_MODELS.get(self.presence, ""))

    @property
    def parses(self) -> bool:
        """Whether facts are looked for in a text."""
        return self.units != "written" or self.match == "assign"

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are needed."""
        return tuple(filter(None, (self.model, self.parser if self.parses else "")))
