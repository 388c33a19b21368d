"""The forms about a campaign: a new one, its people, its checks, and a crowd market's file.

They check what is typed; services decide what may be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.db.models import QuerySet

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import CorpusError, Problem
from gistmark.judgements.protocols import PROTOCOLS, get_protocol
from gistmark.judgements.protocols.own import FORM, starting_protocol
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.web.accounts.forms import RoleForm
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import NAME_LENGTH, names_in
from gistmark.web.accounts.sign_in.credentials import MOST_DAYS
from gistmark.web.annotate.services.submissions import exported_corpus, with_highlights_of
from gistmark.web.campaigns.models import Campaign, Membership, Planted, Question
from gistmark.web.campaigns.services.campaigns import LONGEST_NAME
from gistmark.web.campaigns.services.checks import LONGEST_TEXT
from gistmark.web.campaigns.services.corpora import LONGEST_NAME as LONGEST_DOCUMENT
from gistmark.web.campaigns.services.invitations import INVITATION_DAYS, MOST_USES
from gistmark.web.campaigns.services.machines import MODEL_LENGTH, URL_LENGTH
from gistmark.web.campaigns.services.uploads import LARGEST_UPLOAD, SUFFIXES, read_upload
from gistmark.web.crowd.approvals import CODE
from gistmark.web.interface.pages import errors_on
from gistmark.web.results.dashboard.progress import Member
from gistmark.web.results.merging import with_merged_units

SOURCES = (
    ("upload", "A file of mine"),
    ("sample", "The sample that comes with Gistmark (14 short documents, 4 systems)"),
    ("campaign", "The corpus and the results of another campaign"),
)
_FIELDS = {"upload": "file", "sample": "source", "campaign": "campaign"}
"""The field that shows what is wrong with the corpus from each source."""
_MOST_TASKS = 1_000_000
_MOST_NAMES = 1_000
SHOWN_NAMES = 300
_ANSWERS = (("true", "True"), ("false", "False"))
_ABOUT = (("document", "The text of the document"), ("reference", "The reference summary"))
LARGEST = 5 * 1024**2


class NewCampaignForm(forms.Form):
    """What a campaign begins with; everything else has a default that can be changed later."""

    name = forms.CharField(label="Name", max_length=LONGEST_NAME)
    protocol = forms.ChoiceField(label="What annotators do", widget=forms.RadioSelect)
    source = forms.ChoiceField(
        label="Corpus", choices=SOURCES, initial="upload", widget=forms.RadioSelect
    )
    file = forms.FileField(
        label="File",
        required=False,
        widget=forms.FileInput(attrs={"accept": ",".join(SUFFIXES)}),
        help_text=(
            "A ZIP archive of a corpus folder, or one JSONL, CSV, TSV or Parquet file; at most "
            f"{LARGEST_UPLOAD // 1024**2} MB."
        ),
    )
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        label="Other campaign",
        required=False,
        empty_label="None",
        help_text=(
            "Its accepted highlights become the heat maps of this one. With a file of yours or "
            "the sample they are added for the documents that both have."
        ),
    )

    def __init__(self, campaigns: QuerySet[Campaign], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.problems: tuple[Problem, ...] = ()
        self.fields["protocol"].choices = _protocols()  # type: ignore[attr-defined]
        self.fields["protocol"].initial = next(iter(PROTOCOLS))
        others = campaigns.exclude(state__in=(Campaign.State.DRAFT, Campaign.State.PILOT))
        self.fields["campaign"].queryset = others  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            with self.errors_shown(_FIELDS[cleaned["source"]]):
                cleaned["corpus"] = self._corpus(cleaned)
        if cleaned.get("corpus") and cleaned["source"] != "campaign" and cleaned["campaign"]:
            with errors_on(self, "campaign"):
                cleaned["corpus"] = with_highlights_of(cleaned["corpus"], cleaned["campaign"])
        return cleaned

    @contextmanager
    def errors_shown(self, field: str) -> Iterator[None]:
        """Show the problems of a corpus below its fields, and any other error beside the field."""
        with errors_on(self, field):
            try:
                yield
            except CorpusError as error:
                self.problems = error.problems
                self.add_error(field, "The corpus cannot be used; what is wrong is listed below.")

    @property
    def chosen_protocol(self) -> Protocol:
        """The preset that was chosen, or a form to compose."""
        return starting_protocol(self.cleaned_data["protocol"])

    def _corpus(self, cleaned: dict[str, Any]) -> Corpus | None:
        source, file, campaign = cleaned["source"], cleaned["file"], cleaned["campaign"]
        if source == "sample":
            return load(sample_folder())
        if source == "campaign":
            if campaign is None:
                self.add_error("campaign", "Choose the campaign whose results to use.")
                return None
            return with_merged_units(exported_corpus(campaign), campaign)
        if file is None:
            self.add_error("file", "Choose the file of the corpus.")
            return None
        return read_upload(file.name, file.chunks())


def _protocols() -> list[tuple[str, str]]:
    presets = [(name, f"{name}: {get_protocol(name).about}") for name in PROTOCOLS]
    return [*presets, (FORM, "Start from nothing: compose the questions yourself.")]


class AddForm(forms.Form):
    """People who have an account: chosen from a list, or as a list of names."""

    known = forms.MultipleChoiceField(
        label="Choose", required=False, widget=forms.CheckboxSelectMultiple
    )
    name = forms.CharField(
        label="Or paste names",
        required=False,
        max_length=_MOST_NAMES * (NAME_LENGTH + 1),
        widget=forms.Textarea(attrs={"autocapitalize": "none", "spellcheck": "false", "rows": 3}),
        help_text="Separated by line breaks, commas or spaces.",
    )
    role = forms.ChoiceField(
        label="Takes part as",
        choices=Membership.Role.choices,
        initial=Membership.Role.ANNOTATOR,
    )

    def __init__(self, candidates: QuerySet[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = list(candidates.order_by("username").values_list("username", "role")[:SHOWN_NAMES])
        self.more = candidates.count() - len(names) if len(names) == SHOWN_NAMES else 0
        self.fields["known"].choices = [  # type: ignore[attr-defined]
            (name, name if role == User.Role.ANNOTATOR else f"{name} ({role})")
            for name, role in names
        ]
        if not names:
            del self.fields["known"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["names"] = [*cleaned.get("known", ()), *names_in(cleaned.get("name") or "")]
        if not self.errors and not cleaned["names"]:
            self.add_error("name", "Choose somebody, or paste at least one name.")
        return cleaned


class InviteForm(forms.Form):
    """A link with which annotators join the campaign."""

    uses = forms.IntegerField(label="How many people", min_value=1, max_value=MOST_USES, initial=1)
    days = forms.IntegerField(
        label="Days until it ends", min_value=1, max_value=MOST_DAYS, initial=INVITATION_DAYS
    )


class InvitationForm(RoleForm):
    """A link to join."""

    campaign = forms.ModelChoiceField(
        Campaign.objects.none(), required=False, empty_label="No campaign",
        help_text="Whoever follows the link joins this campaign, too.",
    )  # fmt: skip
    uses = forms.IntegerField(label="How many people", min_value=1, max_value=MOST_USES, initial=1)
    days = forms.IntegerField(
        label="Days until it ends", min_value=1, max_value=MOST_DAYS, initial=INVITATION_DAYS
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].initial = User.Role.ANNOTATOR
        self.fields["campaign"].queryset = Campaign.objects.exclude(  # type: ignore[attr-defined]
            state=Campaign.State.CLOSED
        )


class ChosenForm(forms.Form):
    """Some of the annotators, to allocate tasks to or to release them from."""

    people = forms.MultipleChoiceField(
        label="Annotators",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one annotator in the table."},
    )
    limit = forms.IntegerField(
        label="Maximum number of tasks for each",
        required=False,
        min_value=1,
        max_value=_MOST_TASKS,
        widget=forms.NumberInput(attrs={"class": "is-short"}),
        help_text="Leave it empty to share out everything that is open.",
    )

    def __init__(self, members: Iterable[Member], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        annotators = [each.name for each in members if each.role == Membership.Role.ANNOTATOR]
        names = [(name, name) for name in annotators]
        self.fields["people"].choices = names  # type: ignore[attr-defined]


def _text(label: str, rows: int = 3) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, max_length=LONGEST_TEXT, widget=widget)


class QuestionForm(forms.Form):
    """A statement and whether it is true."""

    statement = _text("Statement")
    answer = forms.TypedChoiceField(
        label="It is",
        choices=_ANSWERS,
        coerce=lambda chosen: chosen == "true",
        widget=forms.RadioSelect,
    )

    @classmethod
    def of(cls, question: Question) -> QuestionForm:
        """The form for a statement that there is."""
        answer = "true" if question.answer else "false"
        return cls(initial={"statement": question.statement, "answer": answer})


class NewQuestionForm(QuestionForm):
    """A statement about a document that is named."""

    document = forms.CharField(label="Document", max_length=LONGEST_DOCUMENT)
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


class ApprovalsForm(forms.Form):
    """The results of a batch, as the market gives them."""

    file = forms.FileField(
        label="The market's file",
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=(
            f"A CSV file with a column {CODE}, such as the results of a batch of Mechanical Turk; "
            f"at most {LARGEST // 1024**2} MB."
        ),
    )

    def clean_file(self) -> Any:
        return of_allowed_size(self.cleaned_data["file"])


def of_allowed_size(file: Any) -> Any:
    """The uploaded file, unless it is too large."""
    if file.size > LARGEST:
        raise forms.ValidationError(f"The file is larger than {LARGEST // 1024**2} MB.")
    return file


class MachineForm(forms.Form):
    """A model that judges in a campaign."""

    model = forms.CharField(
        label="Model",
        max_length=MODEL_LENGTH,
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
        help_text="Its name at the server, such as gpt-4o-mini, or the name of a local model.",
    )
    url = forms.CharField(
        label="Address of its server",
        required=False,
        max_length=URL_LENGTH,
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
        help_text="One that speaks the chat completions protocol, such as "
        "http://localhost:8000/v1; leave it empty for a local model.",
    )
    name = forms.CharField(
        label="Name of the machine",
        required=False,
        max_length=NAME_LENGTH,
        help_text="As managers see it; without one it is named after the model.",
    )
