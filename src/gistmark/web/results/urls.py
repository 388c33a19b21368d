"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.results.views import dashboard, documents, exporting, pairs, review

_ONE = "campaigns/<str:key>/"

urlpatterns = [
    path(_ONE, dashboard.dashboard, name="campaign"),
    path(f"{_ONE}numbers/", dashboard.numbers, name="campaign-numbers"),
    path(f"{_ONE}pairs/", pairs.pairs, name="campaign-pairs"),
    path(f"{_ONE}pairs.csv", pairs.pairs_csv, name="campaign-pairs-csv"),
    path(f"{_ONE}work/", review.work, name="campaign-work"),
    path(f"{_ONE}work/<int:pk>/decide/", review.decide_on, name="campaign-work-decide"),
    path(f"{_ONE}documents/", documents.documents, name="campaign-documents"),
    path(f"{_ONE}documents/<int:position>/", documents.document, name="campaign-document"),
    path(f"{_ONE}export/<str:format>/", exporting.export, name="campaign-export"),
]
