"""The addresses of this app."""

from __future__ import annotations

from django.urls import URLPattern, path

from gistmark.web.campaigns.views import checks, listing, making, people, review, settings

_ONE = "campaigns/<str:key>/"


def _about_one(kind: str, name: str) -> list[URLPattern]:
    """Approving and removing a check of one kind."""
    base, known = f"{_ONE}checks/{kind}/<int:pk>/", {"kind": kind}
    return [
        path(f"{base}approve/", review.approve_one, known, name=f"{name}-approve"),
        path(f"{base}remove/", review.remove_one, known, name=f"{name}-remove"),
    ]


urlpatterns = [
    path("campaigns/", listing.campaigns, name="campaigns"),
    path("campaigns/new/", making.new, name="campaign-new"),
    path(f"{_ONE}state/", making.state, name="campaign-state"),
    path(f"{_ONE}settings/", settings.settings, name="campaign-settings"),
    path(f"{_ONE}settings/protocol/", settings.protocol, name="campaign-protocol"),
    path(f"{_ONE}settings/changes/", settings.changes, name="campaign-changes"),
    path(f"{_ONE}checks/", checks.checks, name="campaign-checks"),
    path(f"{_ONE}checks/generate/", checks.generate, name="campaign-checks-generate"),
    path(f"{_ONE}checks/approve/", checks.approve_waiting, name="campaign-checks-approve"),
    path(f"{_ONE}checks/questions/new/", review.new_question, name="campaign-question-new"),
    path(f"{_ONE}checks/questions/<int:pk>/", review.question, name="campaign-question"),
    path(f"{_ONE}checks/planted/new/", review.new_triple, name="campaign-planted-new"),
    path(f"{_ONE}checks/planted/<int:pk>/", review.triple, name="campaign-planted"),
    *_about_one("questions", "campaign-question"),
    *_about_one("planted", "campaign-planted"),
    path(f"{_ONE}people/", people.people, name="campaign-people"),
    path(f"{_ONE}people/add/", people.add, name="campaign-people-add"),
    path(f"{_ONE}people/invite/", people.invite, name="campaign-people-invite"),
    path(f"{_ONE}people/allocate/", people.share_out, name="campaign-people-allocate"),
    path(f"{_ONE}people/release/", people.release, name="campaign-people-release"),
]
