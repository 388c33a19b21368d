"""How fields are rendered: a label for each, hints and errors tied to it, everything escaped."""

from __future__ import annotations

from django import forms


class Sheet(forms.Form):
    """One field of each kind."""

    name = forms.CharField(help_text="A <hint>", initial="<b>")
    note = forms.CharField(required=False)
    agree = forms.BooleanField(label="I agree")
    size = forms.ChoiceField(choices=[("s", "<small>"), ("l", "large")], widget=forms.RadioSelect)


def test_every_control_has_a_label():
    html = str(Sheet())
    for name in ("name", "note", "agree"):
        assert f'for="id_{name}"' in html
        assert f'id="id_{name}"' in html
    assert "<legend>Size</legend>" in html
    assert html.count("optional") == 2


def test_hints_and_errors_belong_to_their_field():
    html = str(Sheet({}))
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'id="id_name_error"' in html
    assert "This field is required." in html


def test_everything_is_escaped():
    html = str(Sheet())
    for raw in ("<hint>", "<b>", "<small>"):
        assert raw not in html


def test_errors_of_the_whole_form_come_first():
    form = Sheet({})
    form.add_error(None, "All is <wrong>.")
    assert str(form).index("All is &lt;wrong&gt;.") < str(form).index("id_name")
