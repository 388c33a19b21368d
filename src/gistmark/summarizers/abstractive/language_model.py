"""Systems that write with a language model: what they share, and `abstractive` itself.

The model's output is made to fit the limit: whole sentences, none of them twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gistmark.metrics.options import LANGUAGE_MODEL, ModelOptions
from gistmark.models.vectors.pipelines import labels_of
from gistmark.options import option
from gistmark.summarizers.extractive.selection import EMPTY, NOTHING_FITS, wording
from gistmark.summarizers.limits import Budget, Limit
from gistmark.summarizers.summarizer import Outcome, Source, Summarizer
from gistmark.text import sentences

if TYPE_CHECKING:
    from gistmark.models.language_models.writers import Writer, Written

AUTO = "auto"

NOTHING = "the model wrote nothing"
CUT = "the model's first sentence is longer than the limit, so it is cut at a word boundary"
UNFINISHED = "the model did not finish, so its first sentence is cut"
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
        "what the model reads before the text: an instruction, or a prefix such as `summarize:` "
        "for T5; auto is what suits the model",
    )
    beams: int = option(1, "how many beams the decoding has; 1 is greedy", least=1)
    no_repeat: int = option(4, "no run of so many tokens is written twice; 0 allows all")
    read: int = option(2048, "how many tokens of a text the model reads at most", least=1)


class Writing(Summarizer):
    """A system whose signature has the model with the start of its hash."""

    Options: ClassVar[type[Any]] = WritingOptions
    instruction: ClassVar[str]
    """The default instruction for a causal model."""

    def _shown(self) -> dict[str, str]:
        return labels_of(self.options)

    def write(self, text: str, most_tokens: int) -> Written:
        """What the model writes about a text.

        One text at a time: in a batch, rounding could tip a close decision, and a summary would
        depend on the other documents.
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
    bounds = [_MOST_TOKENS]
    if limit.chars is not None:
        bounds.append(limit.chars // 4 + 30)
    if limit.words is not None:
        bounds.append(limit.words * _TOKENS_PER_WORD + 30)
    if limit.sentences is not None:
        bounds.append(limit.sentences * _TOKENS_PER_SENTENCE)
    return max(1, min(bounds))


def trimmed(output: Written, limit: Limit, lang: str | None) -> tuple[str, str | None]:
    """The first whole sentences that fit, none of them twice, and a note where more is to be said.

    A last sentence that the model did not finish is left out. If it is the only one, or if the
    first one is too long, its beginning stays, cut at a word boundary.
    """
    whole = whole_sentences(output, lang)
    budget = Budget(limit)
    for sentence in whole:
        if not budget.take(sentence):
            break
    if budget.taken:
        return " ".join(budget.taken), None
    if whole:
        return limit.cut(whole[0]), CUT
    begun = limit.cut(_plain(output.text))
    return begun, UNFINISHED if begun else NOTHING


def whole_sentences(output: Written, lang: str | None) -> list[str]:
    """The sentences that a model wrote and ended, without white space and repetition."""
    written = sentences(_plain(output.text), lang)
    ended = written if output.finished else written[:-1]
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


class Abstractive(Writing):
    """Writes with any sequence-to-sequence or instruction-tuned causal model.

    The model reads the texts one after the other from the first on, as far as it reads. Of what
    it writes, the first whole sentences that fit are the summary.
    """

    name = "abstractive"
    about = "A language model reads the document and writes a summary in its own words."
    instruction = "Summarize this text in a few sentences."

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        document = source.document
        if not document.text.strip():
            return Outcome("", note=EMPTY)
        if not limit.cut(document.text.strip()):
            return Outcome("", note=NOTHING_FITS)
        output = self.write(document.text, tokens_for(limit))
        text, note = trimmed(output, limit, document.lang)
        return Outcome(text, note=joined([note, None if output.read_all else READ]))
