"""Where Prolific sends its events."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from gistmark.errors import GistmarkError
from gistmark.web.config.errors import NotFoundError, status_of
from gistmark.web.crowd.models import MarketAccount
from gistmark.web.crowd.prolific.accounts import MARKET
from gistmark.web.crowd.prolific.hooks import LARGEST, receive


@csrf_exempt
@never_cache
@require_POST
def hook(request: HttpRequest, key: str) -> HttpResponse:
    """Take an event in. Whoever cannot sign it learns only that it was refused."""
    try:
        if _length(request) > LARGEST:
            return _refused("The event is too large.", 413)
        account = None
        if "\0" not in key:
            account = MarketAccount.objects.filter(key=key, market=MARKET).first()
        if account is None:
            raise NotFoundError("Nobody expects events here.")
        received = receive(account, request.headers, request.body)
    except RequestDataTooBig:
        return _refused("The event is too large.", 413)
    except GistmarkError as error:
        return _refused(str(error), status_of(error))
    return JsonResponse({"received": received})


def _length(request: HttpRequest) -> int:
    given = request.headers.get("Content-Length", "")
    return int(given) if given.isascii() and given.isdigit() else 0


def _refused(sentence: str, status: int) -> JsonResponse:
    return JsonResponse({"detail": sentence}, status=status)
