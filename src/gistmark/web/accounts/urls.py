"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.accounts.views import account, addresses, people, second_factor, sign_on

urlpatterns = [
    path("", account.home, name="home"),
    path("log-in/", account.log_in, name="log-in"),
    path("log-in/code/", second_factor.log_in_code, name="log-in-code"),
    path("log-in/sign-on/", sign_on.begin, name="sign-on"),
    path("log-in/sign-on/back/", sign_on.back, name="sign-on-back"),
    path("log-in/sign-on/new/", sign_on.new_account, name="sign-on-new"),
    path("log-in/forgotten/", addresses.forgotten, name="forgotten"),
    path("address/<str:secret>/", addresses.confirm, name="address"),
    path("reminders/<str:secret>/", addresses.stop_reminders, name="reminders-stop"),
    path("log-out/", account.log_out, name="log-out"),
    path("language/", account.choose_language, name="language"),
    path("set-up/", account.set_up, name="set-up"),
    path("password/<str:secret>/", account.password, name="password"),
    path("account/", account.account, name="account"),
    path("account/password/", account.change_password, name="account-password"),
    path("account/tokens/", account.new_token, name="account-tokens"),
    path("account/tokens/<int:pk>/revoke/", account.revoke, name="token-revoke"),
    path("account/sessions/", account.end_sessions, name="account-sessions"),
    path("account/sessions/<int:pk>/end/", account.end_session, name="session-end"),
    path("account/address/", addresses.set_address, name="account-address"),
    path("account/address/remove/", addresses.remove_address, name="account-address-remove"),
    path("account/address/mails/", addresses.choose_mails, name="account-mails"),
    path("account/sign-on/", sign_on.connect, name="account-sign-on"),
    path("account/sign-on/disconnect/", sign_on.disconnect, name="account-sign-on-end"),
    path("account/second-factor/", second_factor.second_factor, name="second-factor"),
    path("account/second-factor/begin/", second_factor.begin, name="second-factor-begin"),
    path("account/second-factor/confirm/", second_factor.confirm, name="second-factor-confirm"),
    path("account/second-factor/codes/", second_factor.recovery_codes, name="second-factor-codes"),
    path("account/second-factor/off/", second_factor.switch_off, name="second-factor-off"),
    path("people/", people.people, name="people"),
    path("people/new/", people.new_person, name="person-new"),
    path("people/remove/", people.remove, name="people-remove"),
    path("people/import/", people.import_, name="people-import"),
    path("people/<int:pk>/", people.person, name="person"),
    path("people/audit/", people.audit, name="people-audit"),
    path("people/<int:pk>/name/", people.name, name="person-name"),
    path("people/<int:pk>/log-out/", people.log_out, name="person-log-out"),
    path("people/<int:pk>/role/", people.role, name="person-role"),
    path("people/<int:pk>/close/", people.close_account, name="person-close"),
    path("people/<int:pk>/open/", people.open_account, name="person-open"),
    path("people/<int:pk>/reset/", people.reset_password, name="person-reset"),
    path("people/<int:pk>/second-factor/", people.reset_factor, name="person-second-factor"),
]
