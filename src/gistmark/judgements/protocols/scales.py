"""Reading a scale of a protocol from JSON."""

from __future__ import annotations

from gistmark.corpus.fields import TEXT, Count, OneOf
from gistmark.judgements.fields import REQUIRED, Fields
from gistmark.judgements.protocols.protocol import FORMS, Form, Scale

_POINT = Count(least=-1_000_000)


def read_scale(given: Fields, name: str, *, form: Form | None = None) -> Scale | None:
    """The scale in a field; None where there is none, or where something is wrong with it.

    With a `form`, the scale need not say which it has, but cannot have another.
    """
    there = given.has(name)
    inner = given.inner(name)
    if not there:
        return None
    before = len(given.faults)
    forms = FORMS if form is None else (form,)
    read = {
        "form": inner.take("form", OneOf(forms), REQUIRED if form is None else form),
        "low": inner.take("low", _POINT),
        "high": inner.take("high", _POINT),
        "labels": inner.members("labels", TEXT),
        "start": inner.take("start", _POINT, None),
    }
    inner.refuse_others()
    return Scale(**read) if len(given.faults) == before else None
