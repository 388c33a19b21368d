"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.annotate.views import tasks, work

urlpatterns = [
    path("work/", work.work, name="work"),
    path("work/<str:key>/", work.begin, name="work-begin"),
    path("work/<str:key>/next/", work.next_, name="work-next"),
    path("tasks/<int:pk>/", tasks.task, name="task"),
    path("tasks/<int:pk>/payload/", tasks.payload, name="task-payload"),
    path("tasks/<int:pk>/draft/", tasks.draft, name="task-draft"),
    path("tasks/<int:pk>/submit/", tasks.submit, name="task-submit"),
    path("tasks/<int:pk>/release/", tasks.release, name="task-release"),
]
