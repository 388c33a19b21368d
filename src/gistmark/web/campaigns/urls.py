"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.campaigns import views

urlpatterns = [
    path("join/<str:secret>/", views.join, name="join"),
    path("register/<str:key>/", views.register, name="register"),
]
