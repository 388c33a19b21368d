"""What systems that write their own words share: the model, and making its words fit the limit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gistmark.metrics.options import LANGUAGE_MODEL, ModelOptions
from gistmark.models.vectors.pipelines import labels_of
from gistmark.options import option
from gistmark.summarizers.candidates import wording
from gistmark.summarizers.limits import Limit, Room
from gistmark.summarizers.summarizer import Summarizer
from gistmark.text import sentences

if TYPE_CHECKING:
    from gistmark.models.language_models.writers import Writer, Written

AUTO = "auto"

NOTHING = "the model wrote nothing"
CUT = "the model's first sentence is longer than the limit, so it is cut at a word boundary"
UNFINISHED = "the model came to no end, so its first sentence is cut"
READ = "the model read only the beginning of the document"

_TOKENS_PER_WORD = 2
_TOKENS_PER_SENTENCE = 60
_MOST_TOKENS = 1024


@dataclass(frozen=True)
class WritingOptions(ModelOptions):
    """Options of every system that writes."""

    model: str = option(LANGUAGE_MODEL, "a known model, a model folder, or a name on the hub")
    prompt: str = option(
        AUTO,
        "what the model is told: an instruction, or a prefix such as `summarize:` for T5; "
        "auto is what suits the model",
    )
    beams: int = option(1, "how many beams the decoding has; 1 is greedy", least=1)
    no_repeat: int = option(4, "no run of so many tokens is written twice; 0 allows all")
    read: int = option(2048, "how many tokens of a text the model reads at most", least=1)


class Writing(Summarizer):
    """A system whose signature tells the model with the start of its hash."""

    Options: ClassVar[type[Any]] = WritingOptions
    instruction: ClassVar[str]
    """What a causal model is told where nothing else is asked for."""

    def _shown(self) -> dict[str, str]:
        return labels_of(self.options)

    def write(self, text: str, most_tokens: int) -> Written:
        """What the model writes about a text.

        Texts are put to it one by one: in company, rounding could turn a close decision, and a
        summary would depend on the documents beside its own.
        """
        from gistmark.models.language_models.writers import Decoding, Request, writer

        options = self.options
        model = writer(options.model, options.precision)
        decoding = Decoding(most_tokens, options.beams, options.no_repeat, options.read)
        return model.write([Request(self._prompt(model), text)], decoding)[0]

    def _prompt(self, model: Writer) -> str:
        if self.options.prompt != AUTO:
            return str(self.options.prompt)
        return model.prefix if model.encodes else self.instruction


def tokens_for(limit: Limit) -> int:
    """How many tokens a summary within the limit has at most, by a generous guess."""
    found = [_MOST_TOKENS]
    if limit.chars is not None:
        found.append(limit.chars // 4 + 30)
    if limit.words is not None:
        found.append(limit.words * _TOKENS_PER_WORD + 30)
    if limit.sentences is not None:
        found.append(limit.sentences * _TOKENS_PER_SENTENCE)
    return max(1, min(found))


def trimmed(made: Written, limit: Limit, lang: str | None) -> tuple[str, str | None]:
    """The first whole sentences that fit, none of them twice, and a note where more is to be said.

    A last sentence that the model did not finish is left out. If it is the only one, or if the
    first one is too long, its beginning stays, cut at a word boundary.
    """
    found = whole_sentences(made, lang)
    room = Room(limit)
    for sentence in found:
        if not room.take(sentence):
            break
    if room.taken:
        return " ".join(room.taken), None
    if found:
        return limit.cut(found[0]), CUT
    begun = limit.cut(_plain(made.text))
    return begun, UNFINISHED if begun else NOTHING


def whole_sentences(made: Written, lang: str | None) -> list[str]:
    """The sentences that a model wrote and ended, without white space and repetition."""
    found = sentences(_plain(made.text), lang)
    ended = found if made.finished else found[:-1]
    first = {wording(sentence): sentence for sentence in reversed(ended)}
    return [sentence for sentence in ended if first.pop(wording(sentence), None) is not None]


def joined(notes: Iterable[str | None]) -> str | None:
    """Several notes as one."""
    return "; ".join(note for note in notes if note) or None


def _plain(text: str) -> str:
    """The text on one line, without the announcement that a model may put before its answer."""
    before, colon, after = text.partition(":\n")
    body = after if colon and "\n" not in before and after.strip() else text
    return " ".join(body.split())
