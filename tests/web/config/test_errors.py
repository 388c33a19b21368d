"""Every refusal is a sentence: a page for people, JSON for scripts."""

from __future__ import annotations

import io
import logging

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404
from django.test import Client
from django.urls import path
from django.utils.module_loading import import_string

from gistmark.errors import UsageError
from gistmark.web.config import urls
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.config.server.logs import RedactedFormatter, redacted

RAISED = {
    "usage": UsageError("There is no metric <b>x</b>."),
    "found": NotFoundError("There is no such task."),
    "allowed": NotAllowedError("This is not your task."),
    "conflict": ConflictError("The campaign is paused."),
    "denied": PermissionDenied("Only admins may see this page."),
    "denied-silently": PermissionDenied(),
    "missing": Http404("There is no such person."),
    "suspicious": SuspiciousOperation("attack"),
    "mistake": ZeroDivisionError("secret detail"),
    "database": OperationalError("no such host"),
}
STATUS = {
    "usage": 400, "found": 404, "allowed": 403, "conflict": 409, "denied": 403,
    "denied-silently": 403, "missing": 404, "suspicious": 400, "mistake": 500, "database": 503,
}  # fmt: skip
ANOTHER = "another-secret"
JSON = {"Accept": "application/json"}


def fail(request, kind: str):
    raise RAISED[kind]


urlpatterns = [path("fail/<str:kind>/", fail), *urls.urlpatterns]
handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


@pytest.fixture
def client(admin, settings) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("kind", RAISED)
def test_an_error_is_a_page_with_a_sentence(client, kind: str):
    page = client.get(f"/fail/{kind}/")
    assert page.status_code == STATUS[kind]
    assert '<p class="lead">' in page.text
    assert "Traceback" not in page.text
    assert "secret detail" not in page.text
    assert "attack" not in page.text


@pytest.mark.parametrize("kind", RAISED)
def test_an_error_is_json_with_a_sentence_for_scripts(client, kind: str):
    for answer in (
        client.get(f"/fail/{kind}/", headers=JSON),
        client.post(f"/fail/{kind}/", "{}", content_type="application/json"),
    ):
        assert answer.status_code == STATUS[kind]
        assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("usage", "There is no metric &lt;b&gt;x&lt;/b&gt;."),
        ("conflict", "The campaign is paused."),
        ("denied", "Only admins may see this page."),
        ("denied-silently", "You may not see this page."),
        ("missing", "There is no such person."),
        ("mistake", "the error is in its log"),
    ],
)
def test_the_sentence_is_the_errors_own(client, kind: str, sentence: str):
    assert sentence in client.get(f"/fail/{kind}/").text


def test_an_unknown_address_does_not_list_the_known_ones(client):
    page = client.get("/nowhere/")
    assert page.status_code == 404
    assert "There is no page at this address." in page.text
    assert "urlpatterns" not in page.text


def test_an_unknown_host_is_refused(client):
    page = client.get("/log-in/", headers={"Host": "evil.example"})
    assert page.status_code == 400
    assert "evil.example" not in page.text


def test_a_wrong_method_is_told_and_the_right_ones_named(client):
    page = client.put("/log-in/")
    assert page.status_code == 405
    assert "does not accept PUT" in page.text
    assert page.headers["Allow"] == "GET, HEAD, POST"


def test_a_request_that_is_too_large_is_refused(client):
    page = client.post("/log-in/", {"name": "x" * (6 * 1024**2)}, content_type="text/plain")
    assert page.status_code == 413


@pytest.mark.parametrize("path", ["/log-in/", "/api/me"])
def test_a_database_that_is_gone_is_said_with_the_time_to_wait(client, monkeypatch, path: str):
    def gone(*_: object) -> bool:
        raise OperationalError("gone")

    monkeypatch.setattr("gistmark.web.accounts.sign_in.set_up.is_set_up", gone)
    page = client.get(path)
    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert "cannot be reached just now" in page.text
    assert ("json" in page.headers["Content-Type"]) == path.startswith("/api/")


def test_the_secret_of_a_link_is_not_logged(client, monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError(f"at /password/{ANOTHER}/")

    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(import_string(settings.LOGGING["formatters"]["plain"]["()"])())
    monkeypatch.setattr(logging.getLogger("django.request"), "handlers", [handler])
    monkeypatch.setattr("gistmark.web.campaigns.views.read_invitation", broken)
    assert client.get("/join/my-secret/?x=1").status_code == 500
    assert "/join/…/" in written.getvalue()
    assert "ZeroDivisionError" in written.getvalue()
    assert "-secret" not in written.getvalue()


def test_who_came_from_a_market_is_not_logged():
    line = "GET /crowd/1a2b/?PROLIFIC_PID=5f0c&SESSION_ID=77 HTTP/1.1"
    assert redacted(line) == "GET /crowd/1a2b/?… HTTP/1.1"


def test_a_stranger_cannot_fill_the_log_with_tracebacks(client, caplog, settings):
    settings.ALLOWED_HOSTS = ["gistmark.example"]
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    (record,) = [each for each in caplog.records if each.name.startswith("django.security")]
    assert record.exc_info
    line = RedactedFormatter("%(levelname)s %(message)s").format(record)
    assert line.startswith("ERROR Invalid HTTP_HOST header: 'elsewhere.example'.")
    assert "\n" not in line
    assert record.exc_info, "other handlers see the record as it was"
