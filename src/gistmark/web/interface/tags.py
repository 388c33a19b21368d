"""What templates say about forms that could not be used: every error, in the form's own words.

`error_summary` stands at the top of every page, so that no view has to think of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, Field
from django.forms.boundfield import BoundField
from django.utils.translation import gettext

register = template.Library()


@dataclass(frozen=True, slots=True)
class FormError:
    """A sentence about what was filled in, and the id of the control that it is about."""

    sentence: str
    target: str = ""


@register.inclusion_tag("forms/errors.html", takes_context=True)
def error_summary(context: template.Context) -> dict[str, Any]:
    """The errors of all forms of a page, each with a link to its field."""
    values: Iterable[object] = context.flatten().values()
    forms = [each for each in values if isinstance(each, BaseForm)]
    return {"form_errors": [error for form in dict.fromkeys(forms) for error in _errors(form)]}


@register.filter
def error_sentences(field: BoundField) -> list[str]:
    """What is wrong with a field; an empty one is named, as "this field" names none."""
    if not field.errors:
        return []
    return [
        sentence
        for error in field.form.errors.as_data()[field.name]
        for sentence in (
            [gettext("“%(label)s” is required.") % {"label": field.label}]
            if str(error.message) == str(Field.default_error_messages["required"])
            else error.messages
        )
    ]


def _errors(form: BaseForm) -> Iterator[FormError]:
    if not form.is_bound:
        return
    for sentence in form.non_field_errors():
        yield FormError(str(sentence))
    for name in form.errors:
        if name != NON_FIELD_ERRORS:
            field = form[name]
            for sentence in error_sentences(field):
                yield FormError(_named(sentence, str(field.label)), _target(field))


def _named(sentence: str, label: str) -> str:
    """The sentence, with the label before it unless it is in it."""
    return sentence if label in sentence else f"{label}: {sentence}"


def _target(field: BoundField) -> str:
    """The control of a field; of several that choose one value, the first."""
    return field.id_for_label or f"{field.auto_id}_0"
