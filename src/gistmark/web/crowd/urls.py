"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.crowd import views

urlpatterns = [
    path("campaigns/<str:key>/approvals/", views.approvals, name="campaign-approvals"),
]
