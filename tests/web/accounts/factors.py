"""People with a second factor, and the codes that their app would show."""

from __future__ import annotations

import time

from gistmark.web.accounts.models import SecondFactor, User
from gistmark.web.accounts.sign_in import second_factor
from gistmark.web.config.storage.encryption import decrypt


def app_code(user: User, *, ahead: int = 0) -> str:
    """What the app of somebody shows now, or so many steps later."""
    secret = decrypt(SecondFactor.objects.get(user=user).secret)
    return second_factor.code_at(secret, int(time.time() // second_factor.PERIOD) + ahead)


def wrong_code(user: User) -> str:
    """Six digits that the app shows neither now nor soon."""
    near = {app_code(user, ahead=ahead) for ahead in range(-3, 4)}
    return next(code for code in ("000000", *map(str, range(111111, 999999))) if code not in near)


def switch_on(user: User) -> list[str]:
    """Set somebody's second factor up; the recovery codes. All codes of now can still be used."""
    second_factor.begin(user)
    codes = second_factor.confirm(user, app_code(user))
    SecondFactor.objects.filter(user=user).update(last_step=0)
    return codes
