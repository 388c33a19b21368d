"""The forms about the practice of a campaign: its settings, items, questions and files."""

from __future__ import annotations

import json
from typing import Any

from django import forms

from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks import practice as rules
from gistmark.judgements.tasks.items import Item
from gistmark.web.campaigns.models import Campaign, Summary
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.manage.forms.campaigns import of_allowed_size
from gistmark.web.qualification.models import ComprehensionQuestion, PracticeItem
from gistmark.web.qualification.services.plans import judged_items


class PracticeSettingsForm(forms.Form):
    """What annotators have to reach, and what they earn."""

    required = forms.BooleanField(
        label="Annotators must pass the practice before their first task", required=False
    )
    pass_mark = forms.IntegerField(
        label="Pass mark, in percent of the answers", min_value=1, max_value=100
    )
    tries = forms.IntegerField(label="Number of tries", min_value=1, max_value=rules.MOST_TRIES)
    qualification = forms.CharField(
        label="Name of the qualification",
        required=False,
        max_length=rules.LONGEST_NAME,
        help_text=(
            "With a name it carries over: whoever earned it in a campaign that the owner of this "
            "one manages skips the practice here. Without practice items, only they get tasks."
        ),
    )
    leaves_out = forms.BooleanField(
        label="Leave the documents of practice items out of the real tasks",
        required=False,
        help_text=(
            "Otherwise annotators judge documents for which they have seen a right answer. "
            "This is settled when the campaign starts."
        ),
    )


class PracticeItemForm(forms.Form):
    """What to practise on, and why the right answer is right."""

    document = forms.ChoiceField(label="Document")
    set = forms.ChoiceField(label="Document, and whose summaries of it")
    system = forms.ChoiceField(label="Summary by")
    other = forms.ChoiceField(label="Compared with the summary by")
    tolerance = forms.FloatField(label="Tolerance", min_value=0)
    reason = forms.CharField(
        label="Reason",
        required=False,
        max_length=rules.LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text="Shown with the right answer, after the annotator's own.",
    )

    def __init__(
        self, campaign: Campaign, *args: Any, item: PracticeItem | None = None, **kwargs: Any
    ) -> None:
        protocol = protocol_of(campaign)
        kwargs.setdefault("initial", _initial(protocol, item))
        super().__init__(*args, **kwargs)
        documents = campaign.documents.filter(texts__isnull=False).values_list("name", flat=True)
        self.fields["document"].choices = [(each, each) for each in documents]  # type: ignore[attr-defined]
        self.sets: dict[str, Item] = {}
        if protocol.subject == "set":
            self._choose_sets(campaign)
        else:
            del self.fields["set"]
            self._choose_systems(campaign, protocol)
        label = protocol.question_type.tolerance_label(protocol)
        if label is None:
            del self.fields["tolerance"]
        else:
            self.fields["tolerance"].label = label

    def _choose_sets(self, campaign: Campaign) -> None:
        for name in ("document", "system", "other"):
            del self.fields[name]
        self.sets = {item.id: item for item in judged_items(campaign)}
        self.fields["set"].choices = [  # type: ignore[attr-defined]
            (id, f"{item.document}: {', '.join(item.systems)}") for id, item in self.sets.items()
        ]

    def _choose_systems(self, campaign: Campaign, protocol: Protocol) -> None:
        wanted = {"document": 0, "summary": 1, "pair": 2}[protocol.subject]
        names = ("system", "other")
        for name in names[wanted:]:
            del self.fields[name]
        judged = Summary.objects.filter(document__campaign=campaign)
        if not protocol.judge_references:
            judged = judged.filter(reference=False)
        systems = sorted(set(judged.values_list("system", flat=True)))
        for name in names[:wanted]:
            self.fields[name].choices = [(each, each) for each in systems]  # type: ignore[attr-defined]

    def values(self) -> dict[str, Any]:
        """What `save_item` takes."""
        cleaned = self.cleaned_data
        systems = tuple(cleaned[name] for name in ("system", "other") if name in cleaned)
        chosen = self.sets.get(cleaned.get("set", ""))
        return {
            "document": cleaned["document"] if chosen is None else chosen.document,
            "systems": systems if chosen is None else chosen.systems,
            "tolerance": cleaned.get("tolerance"),
            "reason": cleaned["reason"],
        }


def _initial(protocol: Protocol, item: PracticeItem | None) -> dict[str, Any]:
    if item is None:
        return {"tolerance": protocol.question_type.usual_tolerance(protocol)}
    read = item.read()
    systems = dict(zip(("system", "other"), read.systems, strict=False))
    known = {"document": read.document, "tolerance": read.tolerance, "reason": read.reason}
    return known | systems | {"set": Item(read.document, tuple(sorted(read.systems))).id}


class ComprehensionForm(forms.Form):
    """A question about the study, with options."""

    question = forms.CharField(
        label="Question",
        max_length=rules.LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    options = forms.CharField(
        label="Options, one a line",
        max_length=rules.LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
    right = forms.IntegerField(
        label="Number of the right option",
        min_value=1,
        max_value=rules.MOST_OPTIONS,
        help_text="The first line is number 1.",
    )
    explanation = forms.CharField(
        label="What to say to those who chose another one",
        required=False,
        max_length=rules.LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="They read it before their second try.",
    )

    @classmethod
    def of(cls, question: ComprehensionQuestion) -> ComprehensionForm:
        """The form for a question that there is."""
        return cls(
            initial={
                "question": question.question,
                "options": "\n".join(question.options),
                "right": question.right + 1,
                "explanation": question.explanation,
            }
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "options" not in cleaned or "right" not in cleaned:
            return cleaned
        count = len(_lines(cleaned["options"]))
        if not 2 <= count <= rules.MOST_OPTIONS:
            self.add_error("options", f"Give 2 to {rules.MOST_OPTIONS} options, one a line.")
        elif cleaned["right"] > count:
            self.add_error("right", f"There are {count} options; choose one of them.")
        return cleaned

    def question_asked(self) -> rules.ComprehensionQuestion:
        """The question as the rules know it."""
        cleaned = self.cleaned_data
        return rules.ComprehensionQuestion(
            cleaned["question"],
            tuple(_lines(cleaned["options"])),
            cleaned["right"] - 1,
            cleaned["explanation"],
        )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class PracticeFileForm(forms.Form):
    """A practice from a file."""

    file = forms.FileField(
        label="File of a practice",
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text="A JSON file as this page exports it. It replaces what is here.",
    )

    def clean_file(self) -> object:
        file = of_allowed_size(self.cleaned_data["file"])
        try:
            return json.loads(file.read())
        except (ValueError, RecursionError):
            raise forms.ValidationError("The file must hold JSON.") from None


class CandidateForm(forms.Form):
    """A decision about somebody's qualification."""

    name = forms.CharField(max_length=500)
    action = forms.ChoiceField(choices=[(each, each) for each in ("grant", "withdraw", "retry")])
