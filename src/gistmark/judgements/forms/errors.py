"""The kinds of errors that are marked in summaries: categories and severities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from gistmark.corpus.fields import NAME, TEXT, Cost
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.inputs import Setting
from gistmark.judgements.questions.base import Faults

OMISSION = "omission"
"""The category of missing content in `spans.csv`."""
MOST_KINDS = 30
"""How many categories, and how many severities, a question may have at most."""


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of error, by its name in `spans.csv`."""

    name: str
    guidance: str = ""


@dataclass(frozen=True, slots=True)
class Severity:
    """How bad an error is, and what one of this kind costs a summary."""

    name: str
    weight: float


SEVERITIES = (Severity("minor", 1.0), Severity("major", 5.0))
"""The default severities of a question, with the weights of MQM."""

CATEGORIES = (
    Category(
        "not in the source",
        "The document says nothing of the kind, whether or not it is true.",
    ),
    Category(
        "contradicts the source",
        "The document says something else: another number, name, time, place or cause, or the "
        "opposite.",
    ),
    Category("grammar", "Spelling, punctuation, word forms, or a sentence that is badly built."),
    Category("repetition", "The summary has said it before, in these words or in others."),
    Category("irrelevant", "It is in the document, but no reader of a summary needs it."),
    Category("other", "Anything else that is wrong; please say what in the comment."),
)
"""What can be wrong in a summary. After MQM for translations, with two for how a summary stands to
its document, as in FRANK (Pagnoni and others, "Understanding Factuality", 2021) and its kin."""

INPUTS = (
    Setting(
        name="categories",
        label="Categories of errors",
        input="records",
        start=[asdict(each) for each in CATEGORIES],
        fields=(
            Setting(name="name", label="Category", input="text", start=""),
            Setting(name="guidance", label="What belongs to it", input="text", start=""),
        ),
    ),
    Setting(
        name="severities",
        label="Severities, from light to heavy",
        input="records",
        help="The weight is what one error costs a summary; without severities each costs 1.",
        start=[asdict(each) for each in SEVERITIES],
        fields=(
            Setting(name="name", label="Severity", input="text", start=""),
            Setting(name="weight", label="Weight", input="number", start=1, least=0),
        ),
    ),
    Setting(
        name="source",
        label="An error can point to the words of the document that show it",
        input="flag",
        help="Only where the document is shown.",
        start=True,
    ),
    Setting(
        name="missing",
        label="Annotators can say that something important is missing",
        input="flag",
        start=True,
    ),
    Setting(name="comments", label="An error can have a comment", input="flag", start=True),
)
"""What a designer can set, and the values of a new question."""


def read_categories(given: Fields) -> tuple[Category, ...]:
    """The categories in their field, which has to be there."""
    if not given.has("categories"):
        given.missing("categories")
    return tuple(map(_category, given.objects("categories", MOST_KINDS)))


def read_severities(given: Fields) -> tuple[Severity, ...]:
    """The severities in their field; the default ones if it is missing."""
    severities = tuple(map(_severity, given.objects("severities", MOST_KINDS)))
    return severities if given.has("severities") else SEVERITIES


def kind_faults(
    categories: Sequence[Category], severities: Sequence[Severity], *, missing: bool
) -> Faults:
    """What is wrong with the kinds of errors together; `missing` content has its own category."""
    if not categories:
        yield "categories", "must hold at least one category"
    for field, kinds in (("categories", categories), ("severities", severities)):
        # Regardless of case, which reading files ignores.
        counts = Counter(kind.name.lower() for kind in kinds)
        for name, count in counts.items():
            if count > 1:
                yield field, f"has {name!r} {count} times; names must differ"
    for number, category in enumerate(categories):
        if missing and category.name.lower() == OMISSION:
            yield (
                f"categories[{number}].name",
                f"must not be {category.name!r}, the category of missing content, which is asked "
                "for by itself",
            )


def _category(given: Fields) -> Category:
    category = Category(given.take("name", NAME) or "", given.take("guidance", TEXT, ""))
    given.refuse_others()
    return category


def _severity(given: Fields) -> Severity:
    severity = Severity(given.take("name", NAME) or "", given.take("weight", Cost()))
    given.refuse_others()
    return severity
