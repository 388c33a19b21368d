"""What a machine does on a platform by its token: its tasks, and what it says about itself.

The token comes from GISTMARK_MACHINE_TOKEN alone; no error shows it. It is valid for the machine's
own tasks in one campaign, and for nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gistmark.errors import UsageError
from gistmark.judges.campaign.client import Api, PlatformError
from gistmark.judges.campaign.tasks import demand_answerable
from gistmark.judges.transport import demand_plain

TOKEN = "GISTMARK_MACHINE_TOKEN"  # noqa: S105
_CONFLICT = 409


@dataclass(frozen=True, slots=True)
class KnownMachine:
    """A machine and its campaign as the platform knows them; `left` tasks are to be done.

    `kind` and `blocks` say what the campaign asks, and `gives_work` whether it does so now.
    """

    name: str
    model: str
    url: str
    signature: str
    campaign: str
    state: str
    gives_work: bool
    kind: str
    blocks: tuple[Mapping[str, Any], ...]
    left: int

    def demand_ready(self) -> None:
        """Refuse a campaign whose tasks a machine cannot do, or cannot do now."""
        settings = {"kind": self.kind, "blocks": self.blocks}
        demand_ready(settings, campaign=self.campaign, state=self.state, works=self.gives_work)


class MachineClient:
    """A machine in a campaign of a platform, by its token."""

    def __init__(self, api: Api, token: str, key: str) -> None:
        self.address = api.address
        self.key = key
        self._api, self._token = api, token

    @classmethod
    def of(cls, api: Api, token: str, campaign: str) -> MachineClient:
        """The machine of a token, in the campaign of this key or name, which must be its own."""
        client = cls(api, token, "")
        reply = client._request("GET", "campaigns")
        try:
            known = {each["key"]: each["name"] for each in reply}
        except (TypeError, KeyError):
            raise no_platform(api.address) from None
        if not isinstance(reply, list):
            raise no_platform(api.address)
        key = next((key for key, name in known.items() if campaign in (key, name)), None)
        if key is None:
            listed = ", ".join(f"{name!r} ({key})" for key, name in known.items())
            raise UsageError(
                f"The token in {TOKEN} is for no campaign with the key or name {campaign!r}; it is "
                f"for {listed or 'none that is going on'}."
            )
        return cls(api, token, key)

    def machine(self) -> KnownMachine:
        """The machine as the platform knows it; the token of a person is refused."""
        return self._known(self._request("GET", f"campaigns/{self.key}/machine"))

    def describe(self, **about: str) -> KnownMachine:
        """Tell the platform which `model` the machine is, or with which `signature` it is asked."""
        return self._known(self._request("PATCH", f"campaigns/{self.key}/machine", about))

    def next_task(self) -> Mapping[str, Any] | None:
        """The task to do next, as the API shows it; None where nothing is left."""
        task = self._request("POST", f"campaigns/{self.key}/next")["task"]
        if task is None:
            return None
        shown: Mapping[str, Any] = self._request("GET", f"tasks/{task}")
        demand_answerable(shown)
        return shown

    def submit(self, task: int, key: str, answer: Mapping[str, Any]) -> None:
        """Submit an answer; the same key again stores nothing new."""
        self._request("POST", f"tasks/{task}/submit", {"key": key, "answer": answer})

    def give_back(self, task: int, reason: str) -> None:
        """Give a task back without an answer; it may have been given back already."""
        why = {"reason": "other", "text": f"The model gave no answer: {reason}."[:1000]}
        try:
            self._request("POST", f"tasks/{task}/release", why)
        except PlatformError as error:
            if error.status != _CONFLICT:  # the reply to an earlier try may be lost
                raise

    def _known(self, reply: Any) -> KnownMachine:
        try:
            values = {field.name: reply[field.name] for field in fields(KnownMachine)}
        except (TypeError, KeyError):
            raise no_platform(self.address) from None
        return KnownMachine(**{**values, "blocks": tuple(values["blocks"])})

    def _request(self, method: str, path: str, body: object = None) -> Any:
        try:
            return self._api.request(method, path, self._token, body)
        except PlatformError as error:
            if error.status != 401:
                raise
            raise PlatformError(
                f"The platform at {self.address} does not accept the token in {TOKEN}: it was "
                "revoked, has ended, or is another platform's; managers make one under People > "
                "Machines.",
                error.status,
            ) from None


def token_of_environment() -> str:
    """The token in GISTMARK_MACHINE_TOKEN."""
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise UsageError(
            f"--url needs the machine's token in {TOKEN}; managers of the campaign create it under "
            "People > Machines."
        )
    demand_plain(TOKEN, token)
    return token


def demand_ready(settings: Mapping[str, Any], *, campaign: str, state: str, works: bool) -> None:
    """Refuse a campaign whose tasks a machine cannot do, or cannot do now."""
    demand_answerable(settings)
    if not works:
        raise UsageError(
            f"The campaign {campaign!r} is {state}; machines judge only while it runs."
        )


def no_platform(address: str) -> PlatformError:
    """The error for a server that does not answer as a platform of this version does."""
    return PlatformError(
        f"The server at {address} is not a Gistmark platform, or has another version."
    )
