"""Somebody's access to Prolific: a token that is tried out, stored encrypted, and never shown.

It belongs to the person who entered it. Studies that they make use it, and so do the other
managers of the campaign when they publish, review or pay there.
"""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.db import transaction

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import User
from gistmark.web.config.errors import ConflictError, NotAllowedError
from gistmark.web.config.storage.encryption import decrypt, encrypt
from gistmark.web.crowd.models import MarketAccount, MarketSecrets, Recruitment
from gistmark.web.crowd.prolific.calls import Prolific
from gistmark.web.crowd.prolific.client import Client, MarketError

MARKET = "prolific"
_LEAST_LETTERS = 20
_SHOWN = 4
_MOMENT = 3.0


def account_of(user: User) -> MarketAccount | None:
    """The access that somebody has entered, if any."""
    return MarketAccount.objects.filter(owner=user, market=MARKET).first()


def connect(user: User, token: str, workspace: str = "") -> MarketAccount:
    """Store a token of somebody's, after Prolific has accepted it; an earlier one is replaced.

    `workspace` is the title or the id of the workspace to use; it may be left out where the
    token's owner has one only.
    """
    if not user.may_manage:
        raise NotAllowedError("Only managers can use Prolific.")
    token = token.strip()
    if len(token) < _LEAST_LETTERS:
        raise UsageError(
            f"An API token of Prolific has at least {_LEAST_LETTERS} characters; it is made on "
            "Prolific's page “API tokens”, under Settings."
        )
    market = Prolific(Client(token, settings.PROLIFIC_URL))
    market.user_id()
    chosen, title = _workspace(market.workspaces(), workspace.strip())
    currency = market.currency(chosen)
    with transaction.atomic():
        account, new = MarketAccount.objects.update_or_create(
            owner=user,
            market=MARKET,
            defaults={
                "hint": token[-_SHOWN:],
                "workspace": chosen,
                "workspace_title": title[:200],
                "currency": currency,
            },
        )
        MarketSecrets.objects.update_or_create(account=account, defaults={"token": encrypt(token)})
        note("market-connected", by=user, name=user.username, market=MARKET, replaced=not new)
    return account


def disconnect(account: MarketAccount, by: User | None) -> None:
    """Forget a token, and end the events that were subscribed to with it, if Prolific answers.

    Studies stay as they are on Prolific.
    """
    with suppress(MarketError, ConflictError):
        market = market_of(account)
        for hook in account.hooks:
            market.unsubscribe(hook)
    with transaction.atomic():
        note("market-disconnected", by=by, name=account.owner.username, market=account.market)
        account.delete()


def market_of(account: MarketAccount, *, quick: bool = False) -> Prolific:
    """Prolific, with the token of an account; `quick` is for pages that can do without it."""
    stored = MarketSecrets.objects.filter(account=account).first()
    if stored is None:
        raise ConflictError(
            "The API token of Prolific is not stored here, because backups leave it out; "
            f"{account.owner.username} has to enter it again."
        )
    token = decrypt(stored.token)
    if quick:
        return Prolific(Client(token, settings.PROLIFIC_URL, timeout=_MOMENT, patience=0))
    return Prolific(Client(token, settings.PROLIFIC_URL))


def market_for(recruitment: Recruitment) -> Prolific:
    """Prolific, with the token that a study was made with."""
    if recruitment.account is None:
        raise ConflictError(
            "This study is not connected to Prolific: no API token is stored for it. Do this on "
            "Prolific's own pages, or enter a token and connect the study."
        )
    return market_of(recruitment.account)


def _workspace(known: dict[str, str], wanted: str) -> tuple[str, str]:
    """The id and the title of the workspace that is meant."""
    if not known:
        raise UsageError("The token's owner has no workspace on Prolific.")
    if not wanted and len(known) == 1:
        return next(iter(known.items()))
    fitting = [(id, title) for id, title in known.items() if wanted in (id, title)]
    if len(fitting) != 1:
        titles = ", ".join(sorted(known.values()))
        raise UsageError(f"Say which workspace of Prolific to use; there are: {titles}.")
    return fitting[0]
