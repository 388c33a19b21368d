"""The form for a crowd market's file."""

from __future__ import annotations

from typing import Any

from django import forms

from gistmark.web.crowd.sheets import CODE

LARGEST = 5 * 1024**2


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
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError(f"The file is larger than {LARGEST // 1024**2} MB.")
        return file
