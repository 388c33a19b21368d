"""Calling the API in tests as somebody with a token."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.credentials import make_token


class Caller:
    """Somebody who calls the API; nobody has no token."""

    def __init__(self, user: User | None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {"Accept": "application/json"}
        if user is not None:
            self.headers["Authorization"] = f"Bearer {make_token(user, 'test').secret}"

    def call(self, method: str, path: str, body: Any = None, **query: Any) -> HttpResponse:
        data = b"" if body is None else json.dumps(body)
        return self.client.generic(
            method,
            f"/api{path}",
            data,
            "application/json",
            headers=self.headers,
            query_params=query,
        )

    def get(self, path: str, **query: Any) -> HttpResponse:
        return self.call("GET", path, **query)

    def post(self, path: str, body: Any = None) -> HttpResponse:
        return self.call("POST", path, body)
