"""The API itself: who may use it, and all its operations."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any, cast

from ninja import NinjaAPI
from ninja.openapi import get_schema
from ninja.openapi.schema import OpenAPISchema
from ninja.schema import NinjaGenerateJsonSchema

from gistmark._version import __version__
from gistmark.web.api import accounts, crowd, exports, results
from gistmark.web.api.access import Bearer, Session
from gistmark.web.api.campaigns import (
    campaigns,
    fewer,
    helper,
    machines,
    people,
    plans,
    protocols,
    units,
    webhooks,
)
from gistmark.web.api.errors import add_handlers
from gistmark.web.api.schemas import ERRORS, Error, StrictParser
from gistmark.web.api.work import adjudication, practice, submissions, tasks


class _Api(NinjaAPI):
    """Names operations by their function, so that generated clients read well.

    Anybody may read the description. It takes more than a second to put together and never
    changes, so this is done once.
    """

    def get_openapi_operation_id(self, operation: Any) -> str:
        return cast(str, operation.view_func.__name__)

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        if path_prefix is None:
            path_prefix = self.get_root_path(path_params or {})
        return _description(self, path_prefix)


@cache
def _description(api: NinjaAPI, prefix: str) -> OpenAPISchema:
    """The description, with the errors that any operation may have.

    Were they declared at each operation, ninja would make a model of every one, which takes longer
    than all else that is done when a server starts.
    """
    described = get_schema(api=api, path_prefix=prefix)
    described["components"]["schemas"]["Error"] = Error.model_json_schema(
        schema_generator=NinjaGenerateJsonSchema, mode="serialization"
    )
    schema = {"$ref": "#/components/schemas/Error"}
    for methods in described["paths"].values():
        for operation in methods.values():
            operation["responses"] |= {
                status: {
                    "description": HTTPStatus(status).phrase,
                    "content": {"application/json": {"schema": schema}},
                }
                for status in ERRORS
            }
    return described


api = _Api(
    title="Gistmark",
    version=__version__,
    description="Evaluation campaigns for programs. Errors are JSON with a sentence in `detail`.",
    auth=[Bearer(), Session()],
    docs_url=None,
    openapi_url="/openapi.json",
    parser=StrictParser(),
    urls_namespace="api",
)
add_handlers(api)
api.add_router("/campaigns", campaigns.router, tags=["campaigns"])
api.add_router("/campaigns", tasks.consent, tags=["campaigns"])
api.add_router("/campaigns", campaigns.checks, tags=["checks"])
api.add_router("/campaigns", protocols.campaigns, tags=["protocols"])
api.add_router("", protocols.router, tags=["protocols"])
api.add_router("/campaigns", fewer.router, tags=["fewer judgements"])
api.add_router("/campaigns", helper.router, tags=["fewer judgements"])
api.add_router("/campaigns", plans.router, tags=["fewer judgements"])
api.add_router("/campaigns", protocols.previews, tags=["previews"])
api.add_router("/campaigns", people.router, tags=["people"])
api.add_router("/campaigns", machines.router, tags=["people"])
api.add_router("/campaigns", submissions.router, tags=["submissions"])
api.add_router("/campaigns", adjudication.router, tags=["adjudication"])
api.add_router("/campaigns", units.router, tags=["content units"])
api.add_router("/campaigns", results.router, tags=["results"])
api.add_router("/campaigns", exports.router, tags=["exports"])
api.add_router("/campaigns", tasks.comments, tags=["comments"])
api.add_router("/campaigns", crowd.router, tags=["crowd markets"])
api.add_router("/campaigns", webhooks.router, tags=["webhooks"])
api.add_router("/accounts", accounts.router, tags=["accounts"])
api.add_router("", accounts.own, tags=["accounts"])
api.add_router("", tasks.router, tags=["tasks"])
api.add_router("/campaigns", practice.router, tags=["practice"])
api.add_router("", practice.items, tags=["practice"])
