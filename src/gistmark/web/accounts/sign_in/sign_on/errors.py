"""What can go wrong between the platform and a provider, each as a sentence for the visitor.

The details of what could not be verified are for the log; a visitor, who may be an attacker, learns
that it could not.
"""

from __future__ import annotations

from django.utils.translation import gettext

from gistmark.web.config.errors import ConflictError, NotAllowedError


class SignOnError(NotAllowedError):
    """What the provider sent is not a log-in that can be trusted; `reason` is for the log."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(
            gettext("What the provider sent could not be verified, so you are not logged in.")
        )


class ProviderDownError(ConflictError):
    """The provider does not answer, or not as a provider does."""

    def __init__(self, name: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            gettext("%(name)s does not answer just now; please try again in a moment.")
            % {"name": name}
        )


class StaleSignOnError(NotAllowedError):
    """The visitor comes back with a log-in that this browser did not begin, or long ago."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This log-in was begun in another browser, too long ago, or has been used already; "
                "please begin again."
            )
        )


class CancelledError(NotAllowedError):
    """The provider, or the person there, said no."""

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext("You were not logged in at %(name)s; please begin again.") % {"name": name}
        )


class NotInvitedError(NotAllowedError):
    """Somebody whom nobody has invited."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "No account here is connected with yours at the provider. Ask whoever runs this "
                "platform for an invitation; if you have an account here, log in to it and connect "
                "it under “Account”."
            )
        )
