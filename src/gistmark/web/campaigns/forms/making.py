"""The form for a new campaign: a name, a corpus, a protocol."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import CorpusError, GistmarkError, Problem
from gistmark.judgements import PROTOCOLS, Protocol, get_protocol
from gistmark.web.annotate.services import exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import read_upload
from gistmark.web.campaigns.services.making import LONGEST_NAME
from gistmark.web.campaigns.services.uploads import LARGEST_UPLOAD, SUFFIXES

SOURCES = (
    ("upload", "A file of mine"),
    ("sample", "The sample that comes with Gistmark (14 short documents, 4 systems)"),
    ("campaign", "The corpus and the results of another campaign"),
)


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
        help_text="Its accepted highlights become the heat maps of this one.",
    )

    def __init__(self, campaigns: QuerySet[Campaign], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.problems: tuple[Problem, ...] = ()
        self.fields["protocol"].choices = _protocols()  # type: ignore[attr-defined]
        self.fields["protocol"].initial = next(iter(PROTOCOLS))
        others = campaigns.exclude(state=Campaign.State.DRAFT)
        self.fields["campaign"].queryset = others  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                cleaned["corpus"] = self._corpus(cleaned)
            except CorpusError as error:
                self.problems = error.problems
                self.add_error("source", "The corpus cannot be used; below is what is wrong.")
            except GistmarkError as error:
                self.add_error("source", str(error))
        return cleaned

    @property
    def chosen_protocol(self) -> Protocol:
        """The preset that was chosen."""
        return get_protocol(self.cleaned_data["protocol"])

    def _corpus(self, cleaned: dict[str, Any]) -> Corpus | None:
        source, file, campaign = cleaned["source"], cleaned["file"], cleaned["campaign"]
        if source == "sample":
            return load(sample_folder())
        if source == "campaign":
            if campaign is None:
                self.add_error("campaign", "Choose the campaign whose results to use.")
                return None
            return exported_corpus(campaign)
        if file is None:
            self.add_error("file", "Choose the file of the corpus.")
            return None
        return read_upload(file.name, file.chunks())


def _protocols() -> list[tuple[str, str]]:
    return [(name, f"{name}: {get_protocol(name).about}") for name in PROTOCOLS]
