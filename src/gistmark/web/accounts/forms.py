"""The forms about people. They check what is typed; what may be done is decided by services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from gistmark.errors import UsageError
from gistmark.web.accounts.imports import FILE_BYTES
from gistmark.web.accounts.models import MailAddress, Token, User
from gistmark.web.accounts.people import NAME_LENGTH, check_password, checked_name
from gistmark.web.accounts.sign_in.credentials import MOST_DAYS, TOKEN_DAYS, TOKEN_NAME_LENGTH
from gistmark.web.accounts.sign_in.set_up import code_is_right
from gistmark.web.interface.pages import errors_on

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PASSWORD_LENGTH = 200
CODE_LENGTH = 40


def _password(label: StrOrPromise, autocomplete: str, hint: StrOrPromise = "") -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(
        label=label, max_length=PASSWORD_LENGTH, strip=False, widget=widget, help_text=hint
    )


def _name(**attributes: object) -> forms.CharField:
    attrs = {"autocapitalize": "none", "spellcheck": "false", **attributes}
    return forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs=attrs),
        help_text=gettext_lazy("Letters, digits and @ . + - _"),
    )


class LogInForm(forms.Form):
    """A name and a password."""

    name = _name(autocomplete="username", autofocus=True)
    password = _password(gettext_lazy("Password"), "current-password")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = ""


class NewPasswordForm(forms.Form):
    """A password, typed twice and judged for the person whose it will be."""

    password = _password(
        gettext_lazy("New password"),
        "new-password",
        gettext_lazy("At least 8 characters, not only digits, not a common word."),
    )
    again = _password(gettext_lazy("The same password again"), "new-password")

    def __init__(self, *args: Any, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._person = name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        password, again = cleaned.get("password"), cleaned.get("again")
        if password is None or again is None:
            return cleaned
        if password != again:
            self.add_error("again", gettext("The two passwords are not the same."))
            return cleaned
        with errors_on(self, "password"):
            check_password(password, self._person or cleaned.get("name", ""))
        return cleaned


class NewAccountForm(NewPasswordForm):
    """A name and a password for somebody new."""

    name = _name(autocomplete="username")
    field_order = ("code", "name", "password", "again")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = gettext("Password")

    def clean_name(self) -> str:
        return _sound_name(self.cleaned_data["name"])


class NewNameForm(forms.Form):
    """A name for somebody new who needs no password."""

    name = _name(autocomplete="username")

    def clean_name(self) -> str:
        return _sound_name(self.cleaned_data["name"])


class SetUpForm(NewAccountForm):
    """The first admin, and the code that the terminal shows."""

    code = forms.CharField(
        label="Set-up code",
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="The terminal where “gistmark serve” runs shows it.",
    )

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not code_is_right(code):
            raise forms.ValidationError("This is not the code on the server's terminal.")
        return code


class ChangePasswordForm(NewPasswordForm):
    """A new password for somebody who knows the old one."""

    old = _password(gettext_lazy("Current password"), "current-password")
    field_order = ("old", "password", "again")


def _code(label: StrOrPromise, hint: StrOrPromise = "") -> forms.CharField:
    attrs = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
    return forms.CharField(
        label=label, max_length=CODE_LENGTH, widget=forms.TextInput(attrs=attrs), help_text=hint
    )


class CodeForm(forms.Form):
    """A code of the authenticator app, or a recovery code."""

    code = _code("Code", "Six digits of your authenticator app, or a recovery code.")


class FirstCodeForm(CodeForm):
    """The first code of the app, with the password where the account has one."""

    password = _password("Your password", "current-password")

    def __init__(self, *args: Any, has_password: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = "The six digits that the app shows now."
        if not has_password:
            del self.fields["password"]


class ForgottenForm(forms.Form):
    """Whose password is lost."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )


class MailAddressForm(forms.Form):
    """Where somebody wants to get e-mail."""

    address = forms.CharField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class MailsForm(forms.Form):
    """What somebody wants to be sent."""

    reminders = forms.BooleanField(
        label=gettext_lazy("Remind me of tasks that I have not submitted"), required=False
    )
    digest = forms.ChoiceField(
        label=gettext_lazy("News about my campaigns"), choices=MailAddress.Digest.choices
    )

    def __init__(self, *args: Any, manages: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not manages:
            del self.fields["digest"]


class TokenForm(forms.Form):
    """A new token of the API; those who have a second factor show a code."""

    name = forms.CharField(
        label=gettext_lazy("What it is for"),
        max_length=TOKEN_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("What the program may do"),
        choices=Token.Scope.choices,
        initial=Token.Scope.ALL,
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days until it ends"),
        min_value=1,
        max_value=MOST_DAYS,
        initial=TOKEN_DAYS,
    )
    code = _code(gettext_lazy("Code of your second factor"))

    def __init__(self, *args: Any, needs_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_code:
            del self.fields["code"]


class RoleForm(forms.Form):
    """What somebody may do."""

    role = forms.ChoiceField(label="Role", choices=User.Role.choices)


class RenameForm(forms.Form):
    """Another name for somebody."""

    name = _name(autocomplete="off")

    def clean_name(self) -> str:
        return _sound_name(self.cleaned_data["name"])


class NewPersonForm(RoleForm):
    """Somebody new, who sets their password with a link."""

    name = _name(autocomplete="off")
    field_order = ("name", "role")

    def clean_name(self) -> str:
        return _sound_name(self.cleaned_data["name"])


class ImportForm(forms.Form):
    """New people, as a pasted list or as a CSV file."""

    pasted = forms.CharField(
        label="A list of names",
        required=False,
        max_length=FILE_BYTES,
        widget=forms.Textarea(attrs={"rows": 8, "class": "is-code", "spellcheck": "false"}),
        help_text="One on each line; after a comma the role, if it is not annotator.",
    )
    file = forms.FileField(
        label="Or a CSV file",
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text="Columns: name and, optionally, role and password.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        pasted, file = cleaned.get("pasted"), cleaned.get("file")
        if not self.errors and bool(pasted) == bool(file):
            self.add_error("pasted", "Paste a list or choose a file: one of the two.")
        elif file and file.size > FILE_BYTES:
            self.add_error("file", f"The file is larger than {FILE_BYTES // 1024} KB.")
        return cleaned


def _sound_name(name: str) -> str:
    try:
        return checked_name(name)
    except UsageError as error:
        raise forms.ValidationError(str(error)) from None
