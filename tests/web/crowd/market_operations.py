"""What the local market answers at each of its addresses, as `market_server` calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.crowd.market import FEE, TAX, WORKSPACE, Market, RefusedError, Taken, draw_id, moment

Operation = Callable[..., tuple[int, Any]]
OPERATIONS: dict[tuple[str, str], Operation] = {}


def operation(method: str, template: str) -> Callable[[Operation], Operation]:
    def register(function: Operation) -> Operation:
        OPERATIONS[method, template] = function
        return function

    return register


@operation("GET", "/users/me/")
def _me(market: Market, **_: Any) -> tuple[int, Any]:
    return 200, {"id": "researcher", "email": "researcher@example.org"}


@operation("GET", "/workspaces/")
def _workspaces(market: Market, **_: Any) -> tuple[int, Any]:
    return 200, {"results": [{"id": WORKSPACE, "title": "Summaries"}]}


@operation("GET", "/workspaces/{workspace_id}/balance/")
def _balance(market: Market, workspace: str, **_: Any) -> tuple[int, Any]:
    return 200, {"currency_code": "GBP", "total_balance": 100000, "available_balance": 90000}


@operation("POST", "/studies/")
def _create(market: Market, body: Any, **_: Any) -> tuple[int, Any]:
    codes = [each["code"] for each in body["completion_codes"]]
    if len(codes) != len(set(codes)):
        raise RefusedError("Completion codes must differ.")
    study = body | {"id": draw_id(), "status": "UNPUBLISHED"}
    market.studies[study["id"]] = study
    return 201, study


@operation("GET", "/studies/")
def _studies(market: Market, **_: Any) -> tuple[int, Any]:
    shown = ("id", "name", "internal_name", "status", "reward", "total_available_places")
    return 200, {"results": [{n: s[n] for n in shown if n in s} for s in market.studies.values()]}


@operation("GET", "/studies/{id}/")
def _study(market: Market, study: str, **_: Any) -> tuple[int, Any]:
    return 200, market.find_study(study)


@operation("PATCH", "/studies/{id}/")
def _change(market: Market, study: str, body: Any, **_: Any) -> tuple[int, Any]:
    known = market.find_study(study)
    allowed = {"internal_name", "total_available_places", "submissions_config"}
    if known["status"] != "UNPUBLISHED":
        if not set(body) <= allowed:
            raise RefusedError("Only a draft can be changed in this.")
        if body.get("total_available_places", 10**9) < known["total_available_places"]:
            raise RefusedError("Places can only be added.")
        if known["status"] == "COMPLETED":
            known["status"] = "ACTIVE"
    known.update(body)
    return 200, known


@operation("POST", "/studies/{id}/transition/")
def _transition(market: Market, study: str, body: Any, **_: Any) -> tuple[int, Any]:
    return 200, market.move_study(study, body["action"])


@operation("POST", "/study-cost-calculator/")
def _cost(market: Market, body: Any, **_: Any) -> tuple[int, Any]:
    rewards = body["reward"] * body["total_available_places"]
    return 200, {"total_cost": round(rewards * (1 + FEE * (1 + TAX)))}


@operation("GET", "/reward-recommendations/")
def _rewards(market: Market, query: dict[str, str], **_: Any) -> tuple[int, Any]:
    least = {"GBP": 600, "USD": 800}[query["currency"]]
    rate = {"min_reward_per_hour": least, "recommended_reward_per_hour": least * 3 // 2}
    return 200, [{"currency": query["currency"], **rate}]


@operation("GET", "/filters/")
def _filters(market: Market, **_: Any) -> tuple[int, Any]:
    some = [
        {"filter_id": name, "type": "select", "title": name, "choices": choices}
        for name, choices in market.filters.items()
    ]
    rate = {"filter_id": "approval_rate", "type": "range", "title": "Approval rate", "min": 0}
    return 200, {"results": [*some, rate]}


@operation("GET", "/studies/{id}/submissions/")
def _submissions(market: Market, study: str, **_: Any) -> tuple[int, Any]:
    market.find_study(study)
    mine = [each for each in market.submissions.values() if each.study == study]
    rows = [
        {
            "id": each.id,
            "participant_id": each.participant,
            "status": each.status,
            "started_at": moment(),
            "completed_at": each.completed_at,
            "has_siblings": False,
            "study_code": each.code,
            "return_requested": each.return_requested,
        }
        for each in mine
    ]
    return 200, {"results": rows}


@operation("GET", "/studies/{id}/submissions/counts/")
def _counts(market: Market, study: str, **_: Any) -> tuple[int, Any]:
    mine = [each.status for each in market.submissions.values() if each.study == study]
    return 200, {status: mine.count(status) for status in set(mine)} | {"TOTAL": len(mine)}


@operation("GET", "/submissions/{id}/")
def _submission(market: Market, session: str, **_: Any) -> tuple[int, Any]:
    taken = market._known(session)
    return 200, _detail(taken) | {"bonus_payments": list(taken.bonuses)}


@operation("POST", "/submissions/{id}/transition/")
def _review(market: Market, session: str, body: Any, **_: Any) -> tuple[int, Any]:
    if body["action"] == "APPROVE":
        market.approve(session)
    elif body["action"] == "REJECT":
        market.reject(session, body.get("rejection_category"), body.get("message", ""))
    else:
        raise RefusedError(f"{body['action']} is not for researchers.")
    return 200, _detail(market.submissions[session])


@operation("POST", "/submissions/{id}/request-return/")
def _ask_back(market: Market, session: str, **_: Any) -> tuple[int, Any]:
    taken = market.ask_back(session)
    shown = {"id": taken.id, "status": taken.status, "participant": taken.participant}
    return 200, shown | {"return_requested": taken.return_requested}


@operation("POST", "/submissions/bulk-approve/")
def _approve(market: Market, body: Any, **_: Any) -> tuple[int, Any]:
    for session in body["submission_ids"]:
        market.approve(session)
    return 200, "The request to bulk approve has been made successfully."


@operation("POST", "/submissions/bonus-payments/")
def _bonuses(market: Market, body: Any, **_: Any) -> tuple[int, Any]:
    bulk, amounts = market.set_up_bonuses(body["study_id"], body["csv_bonuses"])
    amount = sum(amounts.values())
    fees = round(amount * FEE)
    vat = round(fees * TAX)
    shown = {"id": bulk, "study": body["study_id"], "amount": amount, "fees": fees, "vat": vat}
    return 201, shown | {"total_amount": amount + fees + vat}


@operation("POST", "/bulk-bonus-payments/{id}/pay/")
def _pay(market: Market, bulk: str, **_: Any) -> tuple[int, Any]:
    market.pay(bulk)
    return 202, "The request to pay the bonuses has been made successfully."


@operation("GET", "/hooks/secrets/")
def _secrets(market: Market, **_: Any) -> tuple[int, Any]:
    known = {"id": "secret", "value": market.secret, "workspace_id": WORKSPACE}
    return 200, {"results": [known] if market.secret else []}


@operation("POST", "/hooks/secrets/")
def _secret(market: Market, **_: Any) -> tuple[int, Any]:
    market.secret = draw_id()
    return 201, {"id": "secret", "value": market.secret, "workspace_id": WORKSPACE}


@operation("GET", "/hooks/subscriptions/")
def _subscriptions(market: Market, **_: Any) -> tuple[int, Any]:
    return 200, {"results": list(market.subscriptions.values())}


@operation("POST", "/hooks/subscriptions/")
def _subscribe(market: Market, body: Any, extra: dict[str, str], **_: Any) -> tuple[int, Any]:
    if not market.secret:
        raise RefusedError("The workspace has no secret.")
    made = body | {"id": draw_id(), "is_enabled": False}
    market.subscriptions[made["id"]] = made
    extra["X-Hook-Secret"] = market.confirmations[made["id"]] = draw_id()
    return 201, {"results": [made]}


@operation("POST", "/hooks/subscriptions/{subscription_id}/")
def _confirm(market: Market, subscription: str, body: Any, **_: Any) -> tuple[int, Any]:
    if market.confirmations.get(subscription) != body["secret"]:
        raise RefusedError("The secret is wrong.")
    market.subscriptions[subscription]["is_enabled"] = True
    return 200, market.subscriptions[subscription]


@operation("DELETE", "/hooks/subscriptions/{subscription_id}/")
def _unsubscribe(market: Market, subscription: str, **_: Any) -> tuple[int, Any]:
    if market.subscriptions.pop(subscription, None) is None:
        raise RefusedError("Subscription not found.", 404)
    return 204, {}


def _detail(taken: Taken) -> dict[str, Any]:
    return {
        "id": taken.id,
        "participant": taken.participant,
        "status": taken.status,
        "study_id": taken.study,
        "started_at": moment(),
        "completed_at": taken.completed_at,
        "entered_code": taken.code,
        "return_requested": taken.return_requested,
    }
