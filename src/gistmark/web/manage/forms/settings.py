"""The forms of a campaign's settings: its own, its protocol's usual ones, and JSON for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from gistmark.judgements import ACTIONS, CHECKS, Fault, Protocol, get_check
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import LONGEST_LEASE, LONGEST_NAME

_LONGEST_TEXT = 20_000
_MOST = 1000
_ACTIONS = {
    "off": "Off",
    "flag": "Flag for me to look at",
    "reject": "Reject, and open the task to somebody else",
}
_TEXTS = ("consent", "instructions", "example")
_FLAGS = {
    "editable": "Annotators may change their answers until the campaign closes",
    "several_of_a_document": "A task may have several summaries of one document",
    "judge_references": "References are judged like the summaries of systems",
}


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
        help_text="Crowd workers show it to their market to be paid.",
    )

    @classmethod
    def of(cls, campaign: Campaign) -> SettingsForm:
        """The form as the campaign is set."""
        return cls(initial={name: getattr(campaign, name) for name in cls.base_fields})


class ProtocolForm(forms.Form):
    """The settings of a protocol that managers usually change."""

    judges = forms.IntegerField(label="Annotators per item", min_value=1, max_value=_MOST)
    items_per_task = forms.IntegerField(
        label="Items per task",
        min_value=1,
        max_value=_MOST,
        help_text="Planted summaries come on top.",
    )
    minimum_seconds = forms.FloatField(
        label="Minimum time per item, in seconds", min_value=0, max_value=86_400
    )

    def __init__(self, protocol: Protocol, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.protocol = protocol
        self.fields.update(_further_fields(protocol))
        for name in self.fields.keys() & {*self.base_fields, *_TEXTS, *_FLAGS, "budget"}:
            self.fields[name].initial = getattr(protocol, name)

    def changes(self) -> dict[str, Any]:
        """What was filled in, as changes of the protocol."""
        given = self.cleaned_data
        plain = {*self.base_fields, *_TEXTS, *_FLAGS, "budget"}
        changes: dict[str, Any] = {name: given[name] for name in given.keys() & plain}
        changes["checks"] = {kind: given[f"check_{kind}"] for kind in CHECKS}
        changes["dimensions"] = {
            each.name: {
                "question": given[f"question_{number}"],
                "guidance": given[f"guidance_{number}"],
            }
            for number, each in enumerate(self.protocol.dimensions)
        }
        if "scale_labels" in given:
            labels = [line.strip() for line in given["scale_labels"].splitlines() if line.strip()]
            changes["scale"] = {"labels": labels}
        return changes

    def field_of(self, fault: Fault) -> str | None:
        """The field that a fault is about, where the form has it."""
        name = fault.field.replace("checks.", "check_").replace("scale.labels", "scale_labels")
        return name if name in self.fields else None


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

    def field_of(self, fault: Fault) -> str:
        """Every fault is in the one field of the form."""
        return "changes"


def _further_fields(protocol: Protocol) -> dict[str, forms.Field]:
    """The fields that depend on the protocol, in the order of the page."""
    fields: dict[str, forms.Field] = {}
    if protocol.budget is not None:
        fields["budget"] = forms.IntegerField(
            label="Words that may be highlighted", min_value=1, max_value=100_000
        )
    for name, label in _FLAGS.items():
        if name != "judge_references" or protocol.question_type.subject != "document":
            fields[name] = forms.BooleanField(label=label, required=False)
    fields |= {name: _text(name.capitalize()) for name in _TEXTS}
    fields |= dict(_check_fields(protocol))
    if protocol.scale is not None:
        labels = "\n".join(protocol.scale.labels)
        fields["scale_labels"] = _text(f"Labels of the scale {protocol.scale}", labels, rows=5)
        fields["scale_labels"].help_text = "One on each line: for every point, or for both ends."
    for number, each in enumerate(protocol.dimensions):
        fields[f"question_{number}"] = forms.CharField(
            label=f"{each.name}: question", max_length=_LONGEST_TEXT, initial=each.question
        )
        fields[f"guidance_{number}"] = _text(f"{each.name}: guidance", each.guidance, rows=3)
    return fields


def _check_fields(protocol: Protocol) -> Iterator[tuple[str, forms.Field]]:
    for kind in CHECKS:
        about = get_check(kind).about
        yield (
            f"check_{kind}",
            forms.ChoiceField(
                label=about[0].upper() + about[1:],
                choices=[(action, _ACTIONS[action]) for action in ACTIONS],
                initial=protocol.checks[kind],
            ),
        )


def _text(label: str, initial: str = "", rows: int = 5) -> forms.CharField:
    return forms.CharField(
        label=label,
        initial=initial,
        required=False,
        max_length=_LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": rows}),
    )
