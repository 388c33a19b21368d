"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.accounts.views import account, people

urlpatterns = [
    path("", account.home, name="home"),
    path("log-in/", account.log_in, name="log-in"),
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
]
