"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.annotate import practice, views

urlpatterns = [
    path("work/", views.work, name="work"),
    path("work/<str:key>/", views.begin, name="work-begin"),
    path("work/<str:key>/next/", views.next_, name="work-next"),
    path("work/<str:key>/questions/", practice.comprehension, name="work-comprehension"),
    path("work/<str:key>/practice/", practice.practice, name="work-practice"),
    path("practice/<int:pk>/", practice.item, name="practice-item"),
    path("tasks/<int:pk>/", views.task, name="task"),
    path("tasks/<int:pk>/release/", views.release, name="task-release"),
]
