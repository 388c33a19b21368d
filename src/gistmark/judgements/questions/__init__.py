"""Question types: what an annotator is asked about an item.

A question type is one class (`base.QuestionType`) that says how the question is set, how an answer
is read, checked, exported and simulated, and one ES module of the same name that builds its
controls on the page (`annotate/questions/NAME.js` in `web/interface/static`). To add one, write the
two and name the class below. A package can add one through an entry point of
`gistmark.question_types`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gistmark.judgements.questions.base import ItemAnswer, QuestionType, Texts
from gistmark.registry import Registry

__all__ = ["QUESTION_TYPES", "ItemAnswer", "QuestionType", "Texts", "get_question_type"]

_HERE = "gistmark.judgements.questions"

QUESTION_TYPES: Registry[type[QuestionType[Any]]] = Registry(
    "question type",
    "gistmark.question_types",
    {
        "highlight": f"{_HERE}.highlight:HighlightQuestion",
        "rating": f"{_HERE}.rating:RatingQuestion",
        "comparison": f"{_HERE}.comparison:ComparisonQuestion",
        "form": "gistmark.judgements.forms.form:FormQuestion",
        "units": f"{_HERE}.content_units:UnitsQuestion",
        "presence": f"{_HERE}.content_units:PresenceQuestion",
    },
    base=QuestionType,
)


@cache
def get_question_type(name: str) -> QuestionType[Any]:
    """The question type of this name; an unknown name is an error that lists the known ones."""
    return QUESTION_TYPES.get(name)()
