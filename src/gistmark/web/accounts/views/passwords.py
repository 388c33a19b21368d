"""Whether somebody who is logged in knows their password, asked before what is hard to undo."""

from __future__ import annotations

from django.forms import BaseForm
from django.utils.translation import gettext

from gistmark.web.accounts.attempts import count_attempt, forget_failures, visitor_address
from gistmark.web.accounts.permissions import PersonRequest
from gistmark.web.config.pages import errors_on


def knows_password(request: PersonRequest, form: BaseForm, field: str) -> bool:
    """Whether the password on a form is right; who holds a stolen session cannot try for long."""
    name, address = request.user.username, visitor_address(request)
    with errors_on(form):
        attempt = count_attempt(name, address)
        if request.user.check_password(form.cleaned_data[field]):
            attempt.delete()
            forget_failures(name, address)
            return True
        form.add_error(field, gettext("This is not your present password."))
    return False
