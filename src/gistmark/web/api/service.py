"""The API itself: who may use it, and all its operations."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.security import HttpBearer

from gistmark._version import __version__
from gistmark.web.accounts.models import User
from gistmark.web.accounts.tokens import user_of_token
from gistmark.web.api import campaigns, checks, people, results, submissions, tasks
from gistmark.web.api.bodies import StrictParser
from gistmark.web.api.errors import add_handlers


class Bearer(HttpBearer):
    """`Authorization: Bearer TOKEN`; a token acts as the person who made it."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        return user_of_token(token)


class _Api(NinjaAPI):
    """Names operations by their function, so that generated clients read well."""

    def get_openapi_operation_id(self, operation: Any) -> str:
        return cast(str, operation.view_func.__name__)


api = _Api(
    title="Gistmark",
    version=__version__,
    description="Evaluation campaigns for programs. Errors are JSON with a sentence in `detail`.",
    auth=Bearer(),
    docs_url=None,
    openapi_url="/openapi.json",
    parser=StrictParser(),
    urls_namespace="api",
)
add_handlers(api)
api.add_router("/campaigns", campaigns.router, tags=["campaigns"])
api.add_router("/campaigns", checks.router, tags=["checks"])
api.add_router("/campaigns", people.router, tags=["people"])
api.add_router("/campaigns", submissions.router, tags=["submissions"])
api.add_router("/campaigns", results.router, tags=["results"])
api.add_router("", tasks.router, tags=["tasks"])
