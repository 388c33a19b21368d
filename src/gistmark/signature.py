r"""Signatures: all that is needed to compute something again, in one line of text.

    rouge|v:0.1.0|against:references|n:1|norm:none|refs:max|stem:yes|stop:no|tok:rouge_score

A signature has a family (the kind of metric, or the name of a system), the version of the code, and
fields, which are the options and what else the result depends on. In a value each of `\ | : , =` is
escaped with a backslash, so that `Signature.parse(str(signature)) == signature` for any value. The
values of options on the command line (`name:option=value,...`) are written in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Self

from gistmark.errors import UsageError

_SPECIAL = re.compile(r"[\\|:,=]")
_ESCAPED = re.compile(r"\\([\\|:,=])")
_HASH = re.compile(r"@([0-9a-f]{12}|missing)$")
_VERSION = "v"


def escape(value: str) -> str:
    """A value as signatures and the command line write it."""
    return _SPECIAL.sub(r"\\\g<0>", value)


def unescape(text: str) -> str:
    """The value behind an escaped text; a backslash before any other character is itself."""
    return _ESCAPED.sub(r"\1", text)


def split_at(mark: str, text: str) -> list[str]:
    """The parts of a text between the unescaped marks; the parts stay escaped."""
    marks = re.finditer(rf"\\.|{re.escape(mark)}", text, re.DOTALL)
    ends = [match.start() for match in marks if match[0] == mark]
    starts = [0, *(end + 1 for end in ends)]
    return [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True)]


def without_hash(label: str) -> str:
    """A label such as `all-MiniLM-L6-v2@b9a0018dff09`, which shows a hash, as the name alone."""
    return _HASH.sub("", label)


@dataclass(frozen=True)
class Signature:
    """A family, a version, and fields in the order in which they are written."""

    family: str
    version: str
    fields: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        written = {_VERSION: self.version, **self.fields}
        parts = (f"{escape(name)}:{escape(value)}" for name, value in written.items())
        return "|".join([escape(self.family), *parts])

    @classmethod
    def parse(cls, text: str) -> Self:
        """The signature that a text holds; any other text is an error."""
        family, *parts = split_at("|", text)
        fields: dict[str, str] = {}
        for part in parts:
            name, *value = split_at(":", part)
            if not value:
                raise UsageError(f"{text!r} is not a signature: {part!r} is not NAME:VALUE.")
            fields[unescape(name)] = unescape(":".join(value))
        if _VERSION not in fields:
            raise UsageError(f"{text!r} is not a signature: it has no version, v:VERSION.")
        version = fields.pop(_VERSION)
        return cls(unescape(family), version, fields)

    def with_fields(self, fields: Mapping[str, str]) -> Self:
        """The same with some fields changed where they stand, and new ones at the end."""
        return type(self)(self.family, self.version, {**self.fields, **fields})

    @property
    def model(self) -> str | None:
        """The model or the word vectors behind the numbers, without a hash, if there are any."""
        label = self.fields.get("model", self.fields.get("vectors"))
        return None if label is None else without_hash(label)


def joined(signatures: Mapping[str, Signature]) -> Signature:
    """One signature from those for several languages, by their codes.

    Where fields differ, their values stand in the order of the languages, joined by `+`.
    """
    first = next(iter(signatures.values()))
    every = [{"lang": lang, **each.fields} for lang, each in signatures.items()]
    names = sorted({name for fields in every for name in fields})
    return Signature(
        first.family,
        _values([each.version for each in signatures.values()]),
        {name: _values([fields.get(name, "none") for fields in every]) for name in names},
    )


def merged(signatures: Iterable[Signature]) -> Signature:
    """One signature for the parts of a corpus that a system was trained for one by one.

    Where fields differ, each of their values is there once, joined by `+`.
    """
    distinct = list({str(each): each for each in signatures}.values())
    fields = {
        name: "+".join(dict.fromkeys(each.fields[name] for each in distinct))
        for name in distinct[0].fields
    }
    return Signature(distinct[0].family, distinct[0].version, fields)


def labelled(metric: str, signature: str | None, name: str | None = None) -> str:
    """What a metric is called where people read its numbers: `bertscore (all-MiniLM-L6-v2)`.

    BERTScore on one model is another measure than BERTScore on another, so no table shows the name
    alone. A metric that was chosen with its model, such as `bertscore:model=roberta-large`, and one
    without any stay as they are. `name` is what stands before the model, such as a metric's part.
    """
    name = metric if name is None else name
    model = None if signature is None else _model_of(signature)
    settings = split_at(",", metric.partition(":")[2])
    values = [unescape(setting.partition("=")[2]) for setting in settings]
    if model is None or any(model in (value, Path(value).name) for value in values):
        return name
    return f"{name} ({model})"


@lru_cache(maxsize=1_000)
def _model_of(signature: str) -> str | None:
    """The model in a signature; none in what other programs wrote beside their scores."""
    try:
        return Signature.parse(signature).model
    except UsageError:
        return None


def _values(values: list[str]) -> str:
    return values[0] if len(set(values)) == 1 else "+".join(values)
