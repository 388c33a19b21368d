"""The peer of `submissions`: the platform with one more view, which does nothing but insert a row.

It is both a settings module and the URL configuration of a site.
"""

from __future__ import annotations

import json

from gistmark.web.config.settings import *  # noqa: F403

ROOT_URLCONF = "bare_site"


def insert(request):
    """Find out whose token it is, read the body, insert one row."""
    from django.http import JsonResponse

    from gistmark.web.accounts.sign_in.credentials import read_token
    from gistmark.web.campaigns.models import Event

    token = read_token(request.headers["Authorization"].removeprefix("Bearer "))
    if token is None:
        return JsonResponse({"detail": "A token is needed."}, status=401)
    body = json.loads(request.body)
    campaign = int(request.headers["X-Campaign"])
    Event.objects.create(campaign_id=campaign, user=token.user, verb="bare", about=body)
    return JsonResponse({"message": "Thank you."})


def __getattr__(name):
    """The URLs, which are made when Django asks for them, because its settings must be complete."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.urls import include, path
    from django.views.decorators.csrf import csrf_exempt

    return [
        path("insert", csrf_exempt(insert)),
        path("", include("gistmark.web.config.urls")),
    ]
