"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.crowd import views
from gistmark.web.crowd.prolific.hooks import hook

urlpatterns = [
    path("crowd/<str:key>/", views.arrive, name="crowd-arrival"),
    path("crowd/hooks/<str:key>/", hook, name="crowd-hook"),
    path("work/<str:key>/finish/", views.finish, name="crowd-finish"),
    path("work/<str:key>/decline/", views.decline, name="crowd-decline"),
]
