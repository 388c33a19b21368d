"""The forms of a campaign's settings: its own, its protocol's usual ones, and JSON for the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.conf import settings

from gistmark.judgements.checks import CHECKS, get_check
from gistmark.judgements.fields import Fault
from gistmark.judgements.protocols.protocol import WORDINGS, Protocol
from gistmark.judgements.protocols.settings import protocol_faults
from gistmark.judgements.tasks.designs import DESIGNS, Design
from gistmark.judgements.verdicts import ACTIONS
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import (
    LONGEST_LEASE,
    LONGEST_NAME,
    LONGEST_RETENTION,
)

_LONGEST_TEXT = 20_000
_MOST = 1000
_ACTIONS = {
    "off": "Off",
    "flag": "Flag for me to look at",
    "paid": "Do not count it but pay, and open the task to somebody else",
    "reject": "Reject it unpaid, and open the task to somebody else",
}
_NOT_REJECTING = "Markets such as Prolific let nobody go unpaid for this."
_TEXTS = ("consent", "instructions", "example")
_EDITABLE = "Annotators may change their answers until the campaign closes"
_BY_SYSTEM = "judges_by_system"
_FLAGS = ("editable", *(each.name for each in DESIGNS if each.name != _BY_SYSTEM))
_PLAIN = {
    "judges", "items_per_task", "minimum_seconds", "budget", "wording", _BY_SYSTEM,
    *_TEXTS, *_FLAGS,
}  # fmt: skip
_CHECK = "check_"


class SettingsForm(forms.Form):
    """What may be changed while the campaign runs."""

    name = forms.CharField(label="Name", max_length=LONGEST_NAME)
    lease_minutes = forms.IntegerField(
        label="Minutes that a task is kept for its annotator",
        min_value=1,
        max_value=LONGEST_LEASE,
        help_text=(
            "Counted from the last save. After that somebody else may get it; what was begun is "
            "kept all the same."
        ),
    )
    registration_open = forms.BooleanField(
        label="Anybody who has the address may register and take part", required=False
    )
    completion_codes = forms.BooleanField(
        label="Give a completion code for every task that is submitted",
        required=False,
        help_text=(
            "Crowd workers show it to their market to be paid. The market's rules on what may be "
            "rejected hold then."
        ),
    )
    language = forms.ChoiceField(
        label="Language of the annotators' pages",
        choices=[("", "What each annotator's browser asks for"), *settings.LANGUAGES],
        required=False,
    )
    retention_days = forms.IntegerField(
        label="Days after the end until its annotators are erased",
        min_value=1,
        max_value=LONGEST_RETENTION,
        required=False,
        help_text=(
            "For those who take part nowhere else. Empty: they stay until somebody erases them."
        ),
    )

    def clean_retention_days(self) -> int:
        """The days, or 0 for good."""
        return self.cleaned_data["retention_days"] or 0

    @classmethod
    def of(cls, campaign: Campaign) -> SettingsForm:
        """The form as the campaign is set."""
        return cls(initial={name: getattr(campaign, name) for name in cls.base_fields})


class CopyForm(forms.Form):
    """The name of a copy; the id of its field differs from that of the settings."""

    copy_name = forms.CharField(label="Name of the copy", max_length=LONGEST_NAME)

    @classmethod
    def of(cls, campaign: Campaign) -> CopyForm:
        """The form with a name that says what is copied."""
        return cls(initial={"copy_name": f"Copy of {campaign.name}"[:LONGEST_NAME]})


@dataclass(frozen=True, slots=True)
class Section:
    """Some fields of a form under a heading; it is open where something in it is wrong."""

    title: str
    fields: list[forms.BoundField]
    is_open: bool


class ProtocolForm(forms.Form):
    """The settings of a protocol that managers usually change, in sections."""

    def __init__(self, protocol: Protocol, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.protocol = protocol
        self._sections = {title: fields for title, make in _SECTIONS if (fields := make(protocol))}
        for fields in self._sections.values():
            self.fields.update(fields)

    def sections(self) -> list[Section]:
        """The fields in groups; as long as nothing is wrong, the first is open."""
        groups = [
            (title, [self[name] for name in fields]) for title, fields in self._sections.items()
        ]
        return [
            Section(
                title,
                fields,
                any(field.errors for field in fields) if self.errors else number == 0,
            )
            for number, (title, fields) in enumerate(groups)
        ]

    def changes(self) -> dict[str, Any]:
        """What was filled in, as changes of the protocol."""
        given = self.cleaned_data
        changes: dict[str, Any] = {name: given[name] for name in given.keys() & _PLAIN}
        if _BY_SYSTEM in given:
            # A system that is not named any more has no number of its own.
            changes[_BY_SYSTEM] = {
                **dict.fromkeys(self.protocol.judges_by_system),
                **given[_BY_SYSTEM],
            }
        changes["checks"] = {
            name.removeprefix(_CHECK): given[name] for name in given if name.startswith(_CHECK)
        }
        changes |= self._dimensions(given)
        if "scale_labels" in given:
            labels = [line.strip() for line in given["scale_labels"].splitlines() if line.strip()]
            changes["scale"] = {"labels": labels}
        return changes

    def _dimensions(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if self.protocol.question_type.composed:
            return {}
        dimensions = {
            each.name: {
                "question": given[f"question_{number}"],
                "guidance": given[f"guidance_{number}"],
            }
            for number, each in enumerate(self.protocol.dimensions)
        }
        return {"dimensions": dimensions}

    def add_fault(self, fault: Fault) -> None:
        """Show a fault at the field that it is about, in the words of the form."""
        name = fault.field.replace("checks.", _CHECK).replace("scale.labels", "scale_labels")
        name = re.sub(r"^dimensions\[(\d+)\]\.(question|guidance)$", r"\2_\1", name)
        name = re.sub(r"^judges_by_system\..*", _BY_SYSTEM, name)
        sentence = str(fault)
        if name in self.fields:
            subject = f"“{self.fields[name].label}”"
            sentence = sentence.replace(f"The field {fault.field!r}", subject)
        for known, field in self.fields.items():
            if "_" in known:
                sentence = re.sub(rf"\b{known}\b", f"“{field.label}”", sentence)
        self.add_error(name if name in self.fields else None, sentence)


class ChangesForm(forms.Form):
    """Any change of the protocol, as JSON."""

    changes = forms.CharField(
        label="Changes as JSON",
        max_length=200_000,
        widget=forms.Textarea(attrs={"class": "is-code", "spellcheck": "false", "rows": 6}),
        help_text='Such as {"confidence": {"form": "points", "low": 1, "high": 5}}.',
    )

    def clean_changes(self) -> Mapping[str, object]:
        try:
            changes = json.loads(self.cleaned_data["changes"])
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(f"This is not JSON: {error}.") from None
        if not isinstance(changes, dict):
            raise forms.ValidationError("The changes must be a JSON object.")
        return changes

    def add_fault(self, fault: Fault) -> None:
        """Show a fault; every one is in the one field of the form, which has the JSON names."""
        self.add_error("changes", str(fault))


def _task_fields(protocol: Protocol) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        "judges": forms.IntegerField(label="Annotators per item", min_value=1, max_value=_MOST),
        "items_per_task": forms.IntegerField(
            label="Items per task",
            min_value=1,
            max_value=_MOST,
            help_text="Planted summaries are added to these.",
        ),
    }
    if protocol.budget is not None:
        fields["budget"] = forms.IntegerField(
            label="Words that may be highlighted", min_value=1, max_value=100_000
        )
    fields["editable"] = forms.BooleanField(label=_EDITABLE, required=False)
    for each in DESIGNS:
        if _suits(each, protocol):
            make = _BySystemField if each.name == _BY_SYSTEM else forms.BooleanField
            fields[each.name] = make(label=each.label, help_text=each.purpose, required=False)
    return _filled(fields, protocol)


def _suits(design: Design, protocol: Protocol) -> bool:
    """Whether the protocol could have the design."""
    switched_on = {"": 1} if design.name == _BY_SYSTEM else True
    faults = protocol_faults(replace(protocol, **{design.name: switched_on}))  # type: ignore[arg-type]
    return all(fault.field != design.name for fault in faults)


class _BySystemField(forms.CharField):
    """A number for some systems, one system on each line: `lead: 2`."""

    widget = forms.Textarea(attrs={"rows": 3, "placeholder": "lead: 2.5"})

    def prepare_value(self, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return "\n".join(f"{system}: {number}" for system, number in value.items())

    def to_python(self, value: object) -> Any:
        numbers = {}
        for line in str(value or "").splitlines():
            system, colon, number = line.rpartition(":")
            if not line.strip():
                continue
            try:
                numbers[system.strip()] = float(number)
            except ValueError:
                colon = ""
            if not colon or not system.strip():
                raise forms.ValidationError(
                    f"Write a system, a colon and a number, such as “lead: 2.5”, not “{line}”."
                )
        return numbers

    def has_changed(self, initial: object, data: object) -> bool:
        return bool(initial != self.to_python(data))


def _text_fields(protocol: Protocol) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {name: _text(name.capitalize()) for name in _TEXTS}
    fields["wording"] = forms.ChoiceField(
        label="How texts and questions are worded", choices=list(WORDINGS.items())
    )
    return _filled(fields, protocol)


def _check_fields(protocol: Protocol) -> dict[str, forms.Field]:
    """The checks that this protocol can have, and the time that one of them is about."""
    fields: dict[str, forms.Field] = {
        "minimum_seconds": forms.FloatField(
            label="Minimum time per item, in seconds", min_value=0, max_value=86_400
        )
    }
    for name in CHECKS:
        if get_check(name).applies(protocol):
            about = get_check(name).about
            fields[f"{_CHECK}{name}"] = forms.ChoiceField(
                label=about[0].upper() + about[1:],
                choices=[(action, _ACTIONS[action]) for action in ACTIONS],
                initial=protocol.checks[name],
                help_text="" if get_check(name).at_most == "rejected" else _NOT_REJECTING,
            )
    return _filled(fields, protocol)


def _question_fields(protocol: Protocol) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    if protocol.question_type.composed:
        return fields
    for number, each in enumerate(protocol.dimensions):
        fields[f"question_{number}"] = forms.CharField(
            label=f"{each.name}: question", max_length=_LONGEST_TEXT, initial=each.question
        )
        fields[f"guidance_{number}"] = _text(f"{each.name}: guidance", each.guidance, rows=3)
    return fields


def _scale_fields(protocol: Protocol) -> dict[str, forms.Field]:
    if protocol.scale is None:
        return {}
    labels = "\n".join(protocol.scale.labels)
    field = _text(f"Labels of the scale {protocol.scale}", labels, rows=5)
    field.help_text = "One on each line: for every point, or for both ends."
    return {"scale_labels": field}


_SECTIONS: tuple[tuple[str, Callable[[Protocol], dict[str, forms.Field]]], ...] = (
    ("Tasks and people", _task_fields),
    ("Texts that annotators read", _text_fields),
    ("Checks of their work", _check_fields),
    ("Questions", _question_fields),
    ("Scale", _scale_fields),
)


def _filled(fields: dict[str, forms.Field], protocol: Protocol) -> dict[str, forms.Field]:
    """The fields with what the protocol has now."""
    for name in fields.keys() & _PLAIN:
        fields[name].initial = getattr(protocol, name)
    return fields


def _text(label: str, initial: str = "", rows: int = 5) -> forms.CharField:
    return forms.CharField(
        label=label,
        initial=initial,
        required=False,
        max_length=_LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": rows}),
    )
