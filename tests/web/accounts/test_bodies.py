"""Large bodies are refused before they are read, unless their sender may upload."""

from __future__ import annotations

import pytest
from django.http import multipartparser
from django.test import Client

from gistmark.web.accounts import bodies
from gistmark.web.accounts.sign_in.credentials import make_token

pytestmark = pytest.mark.django_db
FORM = "multipart/form-data; boundary=x"


def send(client: Client, path: str, size: int, **headers: str) -> int:
    return client.post(path, b"-" * size, content_type=FORM, headers=headers).status_code


@pytest.fixture
def unread(monkeypatch):
    """Reading the parts of a body is an error."""

    def parse(_: object) -> None:
        raise AssertionError("the body is read")

    monkeypatch.setattr(multipartparser.MultiPartParser, "parse", parse)


@pytest.mark.parametrize("path", ["/campaigns/new/", "/log-in/", "/api/campaigns", "/nowhere/"])
def test_a_visitors_upload_is_refused_unread(admin, unread, path: str):
    assert send(Client(), path, bodies.MOST_OF_VISITORS + 1) == 413


def test_an_annotators_upload_is_refused_unread(admin, unread, annotator, log_in, monkeypatch):
    monkeypatch.setattr(bodies, "MOST_OF_ANNOTATORS", bodies.MOST_OF_VISITORS)
    assert send(log_in(annotator), "/campaigns/new/", bodies.MOST_OF_VISITORS + 1) == 413
    token = make_token(annotator, "upload").secret
    sent = {"Authorization": f"Bearer {token}"}
    assert send(Client(), "/api/campaigns", bodies.MOST_OF_VISITORS + 1, **sent) == 413


def test_a_managers_upload_is_read(admin, manager, log_in):
    assert send(log_in(manager), "/campaigns/new/", bodies.MOST_OF_VISITORS + 1) == 400
    token = make_token(manager, "upload").secret
    sent = {"Authorization": f"Bearer {token}"}
    assert send(Client(), "/api/campaigns", bodies.MOST_OF_VISITORS + 1, **sent) in (400, 422)
