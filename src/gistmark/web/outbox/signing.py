"""Requests to webhooks: signed, so that the receiver can tell who sent them, and when.

`Gistmark-Signature` is `sha256=` and the hexadecimal HMAC-SHA256 of the timestamp in
`Gistmark-Timestamp` (seconds of the Unix clock), a full stop, and the body as it was sent, with the
webhook's secret as the key. A receiver compares it in constant time and refuses old timestamps.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from gistmark.web.config.outgoing import OutgoingError, PrivateAddressError
from gistmark.web.config.outgoing import send as send_request
from gistmark.web.outbox.models import GivenUpError, NotSentError


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """What stands in `Gistmark-Signature`."""
    signed = f"{timestamp}.".encode() + body
    return f"sha256={hmac.new(secret.encode(), signed, 'sha256').hexdigest()}"


def send(number: int, content: Mapping[str, Any]) -> None:
    """Send a signed request; an answer of 200 to 299 means that it has arrived."""
    body = json.dumps(content["payload"], sort_keys=True).encode()
    now = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "Gistmark-Event": content["payload"]["event"],
        "Gistmark-Delivery": str(number),
        "Gistmark-Timestamp": str(now),
        "Gistmark-Signature": signature(content["secret"], now, body),
    }
    try:
        answer = send_request(
            "POST",
            content["url"],
            body=body,
            headers=headers,
            public_only=not settings.PRIVATE_WEBHOOKS,
        )
    except PrivateAddressError as error:
        raise GivenUpError(str(error)) from None
    except OutgoingError as error:
        raise NotSentError(str(error)) from None
    if not 200 <= answer.status < 300:
        raise NotSentError(f"The server answered {answer.status}.")
