"""Bonuses for good work: set up with their total, confirmed by a manager, and paid once.

The request that pays is one that Prolific would carry out twice. So the payment is noted as sent
before it goes out, and never goes out again by itself. Where the answer gets lost, the market is
asked which bonuses it has paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.models import Bonus, BonusPayment, Recruitment, Visit
from gistmark.web.crowd.prolific.accounts import market_for
from gistmark.web.crowd.prolific.calls import MOST_BONUSES
from gistmark.web.crowd.prolific.client import MarketError, UnsureError
from gistmark.web.crowd.prolific.offers import shown

MOST_AMOUNT = 100_000
"""A bonus of more than 1,000 pounds or dollars is a slip of the keyboard."""
_REWARDED = ("AWAITING REVIEW", "APPROVED")
_UNDER_WAY = timedelta(minutes=2)
_STATES = BonusPayment.State


def set_up_bonuses(
    recruitment: Recruitment, visits: Sequence[Visit], amount: int, by: User | None
) -> BonusPayment:
    """Name who gets a bonus of this amount, and learn what it costs; nothing is paid yet."""
    market = market_for(recruitment)
    _demand_sound(visits, amount)
    bulk = market.set_up_bonuses(recruitment.study, {visit.session: amount for visit in visits})
    try:
        with transaction.atomic():
            payment = BonusPayment.objects.create(
                recruitment=recruitment,
                bulk=bulk.id,
                amount=bulk.amount,
                total=bulk.total,
                created_by=by,
            )
            Bonus.objects.bulk_create(
                Bonus(payment=payment, visit=visit, amount=amount) for visit in visits
            )
            about = {"people": len(visits), "amount": amount, "total": bulk.total}
            record(recruitment.campaign, by, "bonus-set-up", recruitment=recruitment.key, **about)
    except IntegrityError:
        raise ConflictError("One of them has just been given a bonus; look again.") from None
    return payment


def pay_bonuses(payment: BonusPayment, total: int, by: User | None) -> BonusPayment:
    """Pay what was set up; `total` is what the manager confirms that it costs."""
    recruitment = payment.recruitment
    currency = recruitment.account.currency if recruitment.account else ""
    if total != payment.total:
        raise ConflictError(
            f"These bonuses cost {shown(payment.total, currency)} in all, not "
            f"{shown(total, currency)}; nothing was paid. Look at the total and confirm it."
        )
    market = market_for(recruitment)
    waiting = BonusPayment.objects.filter(pk=payment.pk, state=_STATES.SET_UP)
    if not waiting.update(state=_STATES.SENT, sent_at=timezone.now()):
        raise ConflictError("These bonuses were sent before; they are not paid again.")
    try:
        market.pay_bonuses(payment.bulk)
    except UnsureError:
        _note(payment, _STATES.UNSURE, by)
        raise
    except MarketError:
        _note(payment, _STATES.SET_UP, by)
        raise
    return _note(payment, _STATES.PAID, by)


def resolve_bonuses(payment: BonusPayment, by: User | None) -> BonusPayment:
    """Ask the market whether a payment that was never answered was made.

    If it paid all, they are paid; if none, they can be confirmed again. If it paid some, nothing is
    decided, for it may still be at it.
    """
    payment.refresh_from_db()
    lately = payment.sent_at is not None and timezone.now() - payment.sent_at < _UNDER_WAY
    if payment.state not in (_STATES.SENT, _STATES.UNSURE) or lately:
        raise ConflictError(
            "Only bonuses that were sent more than two minutes ago, and not answered, can be "
            "looked up."
        )
    market = market_for(payment.recruitment)
    paid = [
        bonus.amount in market.submission(bonus.visit.session)[1]
        for bonus in payment.bonuses.select_related("visit")
    ]
    if all(paid):
        return _note(payment, _STATES.PAID, by)
    if any(paid):
        raise ConflictError(
            f"Prolific has paid {sum(paid)} of these {len(paid)} bonuses so far; look again later."
        )
    return _note(payment, _STATES.SET_UP, by)


@transaction.atomic
def drop_bonuses(payment: BonusPayment, by: User | None) -> None:
    """Give up bonuses that were set up and not confirmed; on the market they are never paid."""
    deleted = BonusPayment.objects.filter(pk=payment.pk, state=_STATES.SET_UP).delete()
    if not deleted[0]:
        raise ConflictError("Only bonuses that wait to be confirmed can be given up.")
    about = {"recruitment": payment.recruitment.key, "total": payment.total}
    record(payment.recruitment.campaign, by, "bonus-dropped", **about)


def _demand_sound(visits: Sequence[Visit], amount: int) -> None:
    if not 0 < amount <= MOST_AMOUNT:
        raise UsageError(f"A bonus is 0.01 to {MOST_AMOUNT // 100:,}.00 for each participant.")
    if not 0 < len(visits) <= MOST_BONUSES:
        raise UsageError(f"Choose 1 to {MOST_BONUSES} participants for a bonus.")
    for visit in visits:
        name = visit.participant.user.username
        if visit.status not in _REWARDED:
            raise ConflictError(
                f"The submission of {name} is {visit.status or 'unknown to Prolific'}: a bonus is "
                f"for one that is {' or '.join(_REWARDED)}."
            )
        if Bonus.objects.filter(visit=visit).exists():
            raise ConflictError(f"{name} has a bonus for this submission already.")


@transaction.atomic
def _note(payment: BonusPayment, state: str, by: User | None) -> BonusPayment:
    payment.state = state
    payment.save(update_fields=["state"])
    about = {"state": state, "total": payment.total, "people": payment.bonuses.count()}
    recruitment = payment.recruitment
    record(recruitment.campaign, by, "bonus-sent", recruitment=recruitment.key, **about)
    return payment
