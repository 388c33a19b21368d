"""What people answered to questions beyond ratings and comparisons, in a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmark.analysis.findings import words
from gistmark.analysis.human.questions import OPTION_TYPES, OptionShare, QuestionSummary
from gistmark.analysis.studies.records import Finding
from gistmark.corpus import Corpus


def answer_findings(
    questions: Sequence[QuestionSummary], options: Sequence[OptionShare]
) -> Iterator[Finding]:
    """The most frequent answer to each question with options, and how many texts there are.

    Rankings and best-worst choices speak of systems; `system_findings` has them.
    """
    for question in questions:
        if question.type in OPTION_TYPES:
            shares = [o for o in options if o.question == question.question and not o.system]
            yield _most_frequent(question, shares)
        elif question.type == "text":
            yield _texts(question)


def _most_frequent(question: QuestionSummary, options: Sequence[OptionShare]) -> Finding:
    """The option that most answers have; more than one where they tie."""
    if not options:
        return Finding(
            kind="answers",
            text=f"{question.question}: nobody chose an option.",
            detail=_scope(question),
            by="answers",
            dimension=question.question,
            n=question.answers,
        )
    most = max(option.count for option in options)
    first, *others = [option for option in options if option.count == most]
    names = words.listed([f"“{option.option}”" for option in (first, *others)])
    share = f"{words.show_percent(first.share)} of {words.counted(first.n, 'answer')}"
    interval = " each" if others else words.show_percent_interval(first.low, first.high)
    several = question.type == "choices"
    what = "option" if several else "answer"
    verb = f"s are {names}" if others else f" is {names}"
    return Finding(
        kind="answers",
        text=f"{question.question}: the most frequent {what}{verb}, "
        f"{'in ' if several else ''}{share}{interval}.",
        detail=_scope(question),
        by="answers",
        dimension=question.question,
        name=first.option,
        value=first.share,
        low=first.low,
        high=first.high,
        compared=len(options),
        n=first.n,
    )


def _texts(question: QuestionSummary) -> Finding:
    average = "on average " if question.answers > 1 else ""
    length = f"{average}{words.counted(round(question.characters or 0.0), 'character')} long"
    return Finding(
        kind="answers",
        text=f"{question.question}: {words.counted(question.answers, 'text')}, {length}.",
        detail=_scope(question),
        by="answers",
        dimension=question.question,
        value=question.characters,
        n=question.answers,
    )


def _scope(question: QuestionSummary) -> str:
    people = words.counted(question.annotators, "annotator")
    about = words.counted(question.documents, "document")
    systems = f" and {words.counted(question.systems, 'system')}" if question.systems else ""
    return f"By {people}, about {about}{systems}."


_METHODS = {
    "options": "Shares of options have intervals over documents; agreement on them is "
    "nominal alpha, for questions with several options alpha with the MASI distance between sets "
    "and nominal alpha of each option.",
    "ranking": "Rankings are read as mid-ranks, ties sharing the mean of their ranks; a ranking of "
    "k summaries gives one (k - rank) / (k - 1), and strengths are Bradley-Terry's for all "
    "comparisons that the rankings imply, a tie being half a win for each. Agreement on rankings "
    "is the mean Kendall tau-b of two annotators of the same set and Kendall's W corrected for "
    "ties.",
    "best-worst": "A best-worst choice gives 1 to the best summary, -1 to the worst and 0 to the "
    "others; strengths are Bradley-Terry's for the comparisons that it implies, the best beating "
    "all others and these the worst. Agreement is ordinal alpha and the split-half reliability of "
    "systems' scores (Spearman, mean of 100 random halves of the answers to each set).",
}


def answer_methods(corpus: Corpus) -> Iterator[str]:
    """How answers to other questions are summarised, as far as there are any."""
    types = {answer.type for answer in corpus.responses}
    if types.intersection(OPTION_TYPES):
        yield _METHODS["options"]
    yield from (_METHODS[type] for type in ("ranking", "best-worst") if type in types)
