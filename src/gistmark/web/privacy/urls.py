"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.privacy.views import own, people

urlpatterns = [
    path("account/data/", own.data, name="account-data"),
    path("account/erase/", own.erase, name="account-erase"),
    path("people/<int:pk>/data/", people.data, name="person-data"),
    path("people/<int:pk>/erase/", people.erase, name="person-erase"),
]
