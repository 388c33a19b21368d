"""Studies that people arrive at, the addresses that they come by, and tokens signed by a market."""

from __future__ import annotations

import json
import time
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from django.http import HttpResponse
from django.test import Client

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings
from web.factories import make_campaign, make_corpus

HOST = "testserver"


def recruiting(
    campaign: Campaign | None = None, market: str = "prolific", **settings: Any
) -> Recruitment:
    """A recruitment for a running campaign of four tasks for everybody."""
    campaign = campaign or make_campaign(
        corpus=make_corpus(documents=4), judges=3, items_per_task=2
    )
    chosen = RecruitmentSettings(**{"tasks_per_participant": 2} | settings)
    return create_recruitment(campaign, market=market, settings=chosen, by=campaign.owner)


def arrive(
    client: Client,
    recruitment: Recruitment,
    pid: str = "alice",
    session: str | None = None,
    study: str = "study1",
    **more: str,
) -> HttpResponse:
    """Come by the study's address, as Prolific fills it in."""
    query = {"PROLIFIC_PID": pid, "STUDY_ID": study, "SESSION_ID": session or f"s-{pid}"} | more
    return client.get(f"/crowd/{recruitment.key}/", query)


def person(pid: str = "alice", market: str = "prolific") -> User:
    """The account of somebody who has arrived."""
    return Participant.objects.get(market=market, pid=pid).user


def visit(session: str = "s-alice") -> Visit:
    return Visit.objects.get(session=session)


def is_in(client: Client, user: User) -> bool:
    """Whether this browser is logged in as somebody."""
    return client.session.get("_auth_user_id") == str(user.pk)


@cache
def private_key(name: str = "first") -> RSAPrivateKey:
    return generate_private_key(65537, 2048)


def public_keys(*names: str) -> dict[str, Any]:
    """The keys as a market publishes them."""
    return {
        "keys": [
            json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private_key(name).public_key()))
            | {"kid": name, "use": "sig", "alg": "RS256"}
            for name in names
        ]
    }


def token(
    pid: str = "alice",
    session: str | None = None,
    *,
    study: str = "study1",
    key: str = "first",
    lasts: int = 120,
    **claims: Any,
) -> str:
    """A token as Prolific signs it, unless `claims` say otherwise."""
    session = session or f"s-{pid}"
    now = int(time.time())
    payload = {
        "iss": "https://www.prolific.com",
        "iat": now,
        "exp": now + lasts,
        "aud": f"https://{HOST}/crowd/x/?STUDY_ID={study}",
        "sub": session,
        "prolific": {"PROLIFIC_PID": pid, "STUDY_ID": study, "SESSION_ID": session},
    } | claims
    return jwt.encode(payload, private_key(key), algorithm="RS256", headers={"kid": key})
