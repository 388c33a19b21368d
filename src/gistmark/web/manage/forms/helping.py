"""The form for metrics that help people."""

from __future__ import annotations

from django import forms

_POPULATIONS = (
    ("beyond", "Documents beyond these"),
    ("corpus", "The documents of this corpus alone"),
)


class HelperForm(forms.Form):
    """A file of scores, and which of them help."""

    scores = forms.FileField(
        label="Scores",
        allow_empty_file=True,
        help_text="A CSV, JSONL or Parquet file that gistmark score wrote, of all documents of the "
        "corpus. Scores of this campaign’s summaries are kept with it.",
    )
    helper = forms.CharField(
        label="Helper",
        max_length=500,
        initial="all",
        help_text="A metric such as rouge1.f, several such as rouge1+js, or all.",
    )
    population = forms.ChoiceField(label="Intervals hold for", choices=_POPULATIONS)
