"""The addresses of this app."""

from __future__ import annotations

from django.urls import path

from gistmark.web.accounts.views import account, inviting, joining, people, sessions, setting_up

urlpatterns = [
    path("", sessions.home, name="home"),
    path("log-in/", sessions.log_in, name="log-in"),
    path("log-out/", sessions.log_out, name="log-out"),
    path("set-up/", setting_up.set_up, name="set-up"),
    path("set-up/sample/", setting_up.sample, name="set-up-sample"),
    path("join/<str:secret>/", joining.join, name="join"),
    path("register/<str:key>/", joining.register, name="register"),
    path("password/<str:secret>/", joining.password, name="password"),
    path("account/", account.account, name="account"),
    path("account/password/", account.change_password, name="account-password"),
    path("account/tokens/", account.new_token, name="account-tokens"),
    path("account/tokens/<int:pk>/revoke/", account.revoke, name="token-revoke"),
    path("people/", people.people, name="people"),
    path("people/new/", inviting.new_person, name="person-new"),
    path("people/import/", inviting.import_, name="people-import"),
    path("people/invitations/", inviting.invite, name="people-invite"),
    path("people/invitations/<int:pk>/withdraw/", inviting.withdraw, name="invitation-withdraw"),
    path("people/<int:pk>/", people.person, name="person"),
    path("people/<int:pk>/role/", people.role, name="person-role"),
    path("people/<int:pk>/close/", people.close_account, name="person-close"),
    path("people/<int:pk>/open/", people.open_account, name="person-open"),
    path("people/<int:pk>/reset/", people.reset_password, name="person-reset"),
]
