"""What every page has: labelled fields, errors, protective headers; and the page for monitors."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.db import OperationalError, connection
from django.template import Context, Template
from django.templatetags.static import static
from django.test import Client

from gistmark import __version__
from gistmark.errors import CorpusError, Problem, UsageError
from gistmark.web.config.storage.folder import fingerprint
from gistmark.web.interface.pages import errors_on, form_status
from web.factories import PASSWORD


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
    assert "“Name” is required." in html
    assert "This field" not in html


def test_everything_is_escaped():
    html = str(Sheet())
    for raw in ("<hint>", "<b>", "<small>"):
        assert raw not in html


def summary_of(**forms: forms.Form) -> str:
    return Template("{% error_summary %}").render(Context(forms))


def test_errors_stand_in_one_list_with_links_that_name_their_fields():
    first, second = Sheet({"name": "a", "size": "huge", "agree": "on"}), Sheet({}, prefix="b")
    first.add_error(None, "All is <wrong>.")
    html = summary_of(first=first, again=first, second=second)
    assert "<li>All is &lt;wrong&gt;.</li>" in html
    assert '<a href="#id_size_0">Size: Select a valid choice.' in html
    assert '<a href="#id_b-name">“Name” is required.</a>' in html
    assert html.count("<li>") == 2 + 3
    assert 'tabindex="-1" autofocus' in html


def test_a_form_that_nobody_filled_in_has_no_list_of_errors():
    assert summary_of(form=Sheet()).strip() == ""
    assert summary_of(form=Sheet({"name": "a", "agree": "on", "size": "s"})).strip() == ""


@pytest.mark.parametrize("field", ["name", None])
def test_an_error_of_a_service_is_shown_on_the_form(field: str | None):
    sheet = Sheet({"name": "a", "agree": "on", "size": "s"})
    assert sheet.is_valid()
    with errors_on(sheet, field):
        raise UsageError("The name is taken.")
    assert sheet.errors == {field or "__all__": ["The name is taken."]}


def test_errors_of_other_kinds_are_raised():
    sheet = Sheet({"name": "a"})
    with pytest.raises(ValueError), errors_on(sheet):
        raise ValueError
    with pytest.raises(CorpusError), errors_on(sheet, kind=UsageError):
        raise CorpusError([Problem("No documents.")])


def test_a_form_that_comes_back_filled_in_could_not_be_used():
    assert form_status(Sheet(), Sheet()) == 200
    assert form_status(Sheet(), Sheet({})) == 400


@pytest.mark.parametrize("path", ["/log-in/", "/nowhere/", "/", "/health/"])
def test_every_response_has_the_policy_without_inline_scripts(admin, path: str):
    headers = Client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_static_files_are_served(admin):
    for name, kind in (("style/ground.css", "text/css"), ("copy.js", "text/javascript")):
        answer = Client().get(static(name))
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)


def test_browsers_may_keep_static_files_for_a_year(admin):
    assert "max-age=31536000" in Client().get(static("copy.js")).headers["Cache-Control"]


def test_the_address_of_static_files_changes_with_any_of_them(tmp_path: Path):
    file = tmp_path / "style" / "page.css"
    file.parent.mkdir()
    result = set()
    for content in ("a {}", "b {}"):
        file.write_text(content)
        result.add(fingerprint(tmp_path))
    file.rename(tmp_path / "style" / "other.css")
    result.add(fingerprint(tmp_path))
    assert len(result) == 3
    assert fingerprint(tmp_path) in result


@pytest.mark.parametrize("path", ["../settings.py", "%2e%2e/config/settings.py"])
def test_nothing_beside_the_static_files_is_served(admin, settings, path: str):
    assert Client().get(f"{settings.STATIC_URL}{path}").status_code == 404


def test_the_session_cookie_is_out_of_reach_of_scripts(admin):
    client = Client()
    client.post("/log-in/", {"name": admin.username, "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_all_is_well(db):
    answer = Client().get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": __version__}
    assert "no-store" in answer.headers["Cache-Control"]


def test_without_a_database_it_says_so(db, monkeypatch):
    def cursor():
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", cursor)
        answer = Client().get("/health/")
    assert answer.status_code == 503
    assert "does not answer" in answer.json()["error"]


def test_behind_tls_monitors_may_ask_without(db, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/health/").status_code == 200
    assert Client().get("/log-in/").status_code == 301


def test_health_says_when_the_disk_is_full(admin, monkeypatch, tmp_path):
    monkeypatch.setenv("GISTMARK_DATA", str(tmp_path))
    assert Client().get("/health/").status_code == 200
    full = SimpleNamespace(free=1024**2)
    monkeypatch.setattr("gistmark.web.config.storage.folder.shutil.disk_usage", lambda _: full)
    answer = Client().get("/health/")
    assert (answer.status_code, "disk is full" in answer.json()["error"]) == (503, True)
