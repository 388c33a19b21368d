"""The forms for True/False statements and planted summaries."""

from __future__ import annotations

from django import forms

from gistmark.web.campaigns.models import Planted, Question
from gistmark.web.campaigns.services.corpora import LONGEST_NAME
from gistmark.web.campaigns.services.review import LONGEST_TEXT

_ANSWERS = (("true", "True"), ("false", "False"))
_ABOUT = (("document", "The text of the document"), ("reference", "The reference summary"))


def _text(label: str, rows: int = 3) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, max_length=LONGEST_TEXT, widget=widget)


class QuestionForm(forms.Form):
    """A statement and whether it is true."""

    statement = _text("Statement")
    answer = forms.TypedChoiceField(
        label="It is",
        choices=_ANSWERS,
        coerce=lambda said: said == "true",
        widget=forms.RadioSelect,
    )

    @classmethod
    def of(cls, question: Question) -> QuestionForm:
        """The form for a statement that there is."""
        answer = "true" if question.answer else "false"
        return cls(initial={"statement": question.statement, "answer": answer})


class NewQuestionForm(QuestionForm):
    """A statement about a document that is named."""

    document = forms.CharField(label="Document", max_length=LONGEST_NAME)
    about = forms.ChoiceField(label="About", choices=_ABOUT)
    field_order = ("document", "about", "statement", "answer")


class PlantedForm(forms.Form):
    """Three summaries of known quality."""

    good = _text("A good summary")
    mediocre = _text("A mediocre one")
    bad = _text("A bad one")

    @classmethod
    def of(cls, planted: Planted) -> PlantedForm:
        """The form for a triple that there is."""
        return cls(initial={name: getattr(planted, name) for name in cls.base_fields})
