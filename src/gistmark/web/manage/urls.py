"""The addresses of this app."""

from __future__ import annotations

from django.urls import URLPattern, path

from gistmark.web.manage.views import (
    adjudication,
    exports,
    helping,
    notices,
    people,
    results,
    review,
    units,
)
from gistmark.web.manage.views.crowd import markets, recruitment
from gistmark.web.manage.views.crowd import review as crowd_review
from gistmark.web.manage.views.setup import (
    campaigns,
    checks,
    design,
    fewer,
    planning,
    practice,
    settings,
)

_ONE = "campaigns/<str:key>/"


def _about_one(kind: str, name: str) -> list[URLPattern]:
    """Approving and removing a check of one kind."""
    base, known = f"{_ONE}checks/{kind}/<int:pk>/", {"kind": kind}
    return [
        path(f"{base}approve/", checks.approve_one, known, name=f"{name}-approve"),
        path(f"{base}remove/", checks.remove_one, known, name=f"{name}-remove"),
    ]


_DESIGN = f"{_ONE}design/"
_PRACTICE = f"{_ONE}practice/"
_ITEM = f"{_PRACTICE}items/<int:pk>/"
_QUESTION = f"{_PRACTICE}questions/<int:pk>/"
practice_urls = [
    path(_PRACTICE, practice.practice, name="campaign-practice"),
    path(f"{_PRACTICE}people/", practice.people, name="campaign-practice-people"),
    path(f"{_PRACTICE}import/", practice.import_, name="campaign-practice-import"),
    path(f"{_PRACTICE}practice.json", practice.file, name="campaign-practice-file"),
    path(f"{_PRACTICE}attempts.csv", practice.attempts, name="campaign-practice-attempts"),
    path(f"{_PRACTICE}items/new/", practice.new_item, name="campaign-practice-new"),
    path(_ITEM, practice.item, name="campaign-practice-item"),
    path(f"{_ITEM}answer/", practice.answer, name="campaign-practice-answer"),
    path(f"{_ITEM}move/", practice.move, name="campaign-practice-move"),
    path(f"{_ITEM}remove/", practice.remove, name="campaign-practice-remove"),
    path(f"{_PRACTICE}questions/new/", practice.new_question, name="campaign-comprehension-new"),
    path(_QUESTION, practice.question, name="campaign-comprehension"),
    path(f"{_QUESTION}remove/", practice.remove_one, name="campaign-comprehension-remove"),
]
_WEBHOOK = f"{_ONE}notices/webhooks/"
notice_urls = [
    path(f"{_ONE}notices/", notices.notices, name="campaign-notices"),
    path(f"{_ONE}notices/invite/", notices.invite, name="campaign-notices-invite"),
    path(f"{_ONE}notices/remind/", notices.remind_all, name="campaign-notices-remind"),
    path(f"{_WEBHOOK}new/", notices.new_webhook, name="campaign-webhook-new"),
    path(f"{_WEBHOOK}<int:pk>/test/", notices.test_webhook, name="campaign-webhook-test"),
    path(f"{_WEBHOOK}<int:pk>/remove/", notices.end_webhook, name="campaign-webhook-remove"),
]
campaign_urls = [
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns.new, name="campaign-new"),
    path("campaigns/combine/", exports.combined, name="campaigns-combine"),
    path(f"{_ONE}state/", campaigns.state, name="campaign-state"),
    path(f"{_ONE}pilot/", campaigns.pilot, name="campaign-pilot"),
    path(f"{_ONE}preview/", design.preview_begin, name="campaign-preview"),
    path(f"{_ONE}preview/task/", design.preview_one, name="campaign-preview-task"),
    path(_DESIGN, design.design, name="campaign-design"),
    path(f"{_DESIGN}preview/", design.preview, name="campaign-design-preview"),
    path(f"{_DESIGN}blocks/", design.blocks, name="campaign-design-blocks"),
    path(f"{_DESIGN}version/", design.version, name="campaign-version"),
    path(f"{_ONE}settings/", settings.settings, name="campaign-settings"),
    path(f"{_ONE}settings/protocol/", settings.protocol, name="campaign-protocol"),
    path(f"{_ONE}settings/changes/", settings.changes, name="campaign-changes"),
    path(f"{_ONE}plan/", planning.plan, name="campaign-plan"),
    path(f"{_ONE}helper/", helping.helper, name="campaign-helper"),
    path(f"{_ONE}helper/remove/", helping.remove, name="campaign-helper-remove"),
    path(f"{_ONE}helper/scores.csv", helping.scores, name="campaign-helper-scores"),
    path(f"{_ONE}plan/use/", planning.use, name="campaign-plan-use"),
    path(f"{_ONE}fewer-judgements/", fewer.fewer, name="campaign-fewer"),
    path(f"{_ONE}fewer-judgements/sample/", fewer.sample, name="campaign-fewer-sample"),
    path(f"{_ONE}fewer-judgements/all/", fewer.drop, name="campaign-fewer-all"),
    path(f"{_ONE}fewer-judgements/adaptive/", fewer.adaptive, name="campaign-fewer-adaptive"),
    path(f"{_ONE}fewer-judgements/stop/", fewer.stop_or_go_on, name="campaign-fewer-stop"),
    path(f"{_ONE}copy/", settings.copy, name="campaign-copy"),
    path(f"{_ONE}delete/", settings.delete, name="campaign-delete"),
    path(f"{_ONE}checks/", checks.checks, name="campaign-checks"),
    path(f"{_ONE}checks/generate/", checks.generate, name="campaign-checks-generate"),
    path(f"{_ONE}checks/approve/", checks.approve_waiting, name="campaign-checks-approve"),
    path(f"{_ONE}checks/questions/new/", checks.new_question, name="campaign-question-new"),
    path(f"{_ONE}checks/questions/<int:pk>/", checks.question, name="campaign-question"),
    path(f"{_ONE}checks/planted/new/", checks.new_triple, name="campaign-planted-new"),
    path(f"{_ONE}checks/planted/<int:pk>/", checks.triple, name="campaign-planted"),
    *_about_one("questions", "campaign-question"),
    *_about_one("planted", "campaign-planted"),
    *practice_urls,
    *notice_urls,
    path(f"{_ONE}machines/", people.machines, name="campaign-machines"),
    path(f"{_ONE}machines/<int:pk>/token/", people.machine_token, name="campaign-machine-token"),
    path(
        f"{_ONE}machines/<int:machine>/tokens/<int:pk>/revoke/",
        people.revoke_of_machine,
        name="campaign-machine-revoke",
    ),
    path(f"{_ONE}people/", people.people, name="campaign-people"),
    path(f"{_ONE}people/add/", people.add, name="campaign-people-add"),
    path(f"{_ONE}people/invite/", people.invite_to, name="campaign-people-invite"),
    path(f"{_ONE}people/allocate/", people.allocate_tasks, name="campaign-people-allocate"),
    path(f"{_ONE}people/release/", people.release, name="campaign-people-release"),
    path(f"{_ONE}people/remove/", people.remove, name="campaign-people-remove"),
]
result_urls = [
    path(_ONE, results.dashboard, name="campaign"),
    path(f"{_ONE}numbers/", results.numbers, name="campaign-numbers"),
    path(f"{_ONE}pairs/", results.pairs, name="campaign-pairs"),
    path(f"{_ONE}pairs.csv", results.pairs_csv, name="campaign-pairs-csv"),
    path(f"{_ONE}work/", review.work, name="campaign-work"),
    path(f"{_ONE}work/decide/", review.decide_on_many, name="campaign-work-decide-many"),
    path(f"{_ONE}work/undo/<int:group>/", review.undo_decisions, name="campaign-work-undo"),
    path(f"{_ONE}work/<int:pk>/", review.submission, name="campaign-submission"),
    path(f"{_ONE}work/<int:pk>/decide/", review.decide_on, name="campaign-work-decide"),
    path(f"{_ONE}adjudication/", adjudication.items, name="campaign-adjudication"),
    path(f"{_ONE}adjudication/<int:pk>/", adjudication.item, name="campaign-adjudicate"),
    path(f"{_ONE}adjudication/<int:pk>/give/", adjudication.give, name="campaign-adjudicate-give"),
    path(
        f"{_ONE}adjudication/<int:pk>/withdraw/",
        adjudication.withdraw_decision,
        name="campaign-adjudicate-withdraw",
    ),
    path(f"{_ONE}comments/", review.comments, name="campaign-comments"),
    path(f"{_ONE}documents/", results.documents, name="campaign-documents"),
    path(f"{_ONE}documents/<int:position>/", results.document, name="campaign-document"),
    path(f"{_ONE}export/<str:format>/", exports.export, name="campaign-export"),
    path(f"{_ONE}exports/<int:pk>/", exports.exported, name="campaign-exported"),
    path(f"{_ONE}exports/<int:pk>/file/", exports.exported_file, name="campaign-exported-file"),
    path(f"{_ONE}units/", units.units, name="campaign-units"),
    path(f"{_ONE}units/propose/", units.propose, name="campaign-units-propose"),
    path(f"{_ONE}units/second-stage/", units.second_stage, name="campaign-units-second-stage"),
    path(f"{_ONE}units/<int:position>/", units.document, name="campaign-units-document"),
]
_STUDY = f"{_ONE}recruit/<str:study>/"
recruit_urls = [
    path(f"{_ONE}recruit/", recruitment.recruit, name="campaign-recruit"),
    path(f"{_ONE}recruit-account/", recruitment.account, name="campaign-recruit-account"),
    path(_STUDY, recruitment.study, name="campaign-study"),
    path(f"{_STUDY}step/", recruitment.step, name="campaign-study-step"),
    path(f"{_STUDY}review/", crowd_review.review, name="campaign-study-review"),
    path(f"{_STUDY}review/approve/", crowd_review.approve_chosen, name="campaign-study-approve"),
    path(f"{_STUDY}review/<int:pk>/", crowd_review.submission, name="campaign-study-submission"),
    path(f"{_STUDY}bonuses/", crowd_review.bonuses, name="campaign-study-bonuses"),
]
crowd_urls = [
    path(f"{_ONE}approvals/", markets.approvals, name="campaign-approvals"),
]
_MARKETS = f"{_ONE}markets/"
market_urls = [
    path(_MARKETS, markets.new, name="campaign-market-new"),
    path(f"{_MARKETS}<str:study>/", markets.market, name="campaign-market"),
    path(f"{_MARKETS}<str:study>/reconcile/", markets.reconcile, name="campaign-market-reconcile"),
    path(f"{_ONE}visits/<int:pk>/let-in/", markets.let_in, name="campaign-let-in"),
]
platform_urls = [
    path("set-up/sample/", campaigns.sample, name="set-up-sample"),
    path("people/invitations/", people.invitations, name="people-invite"),
    path("people/invitations/<int:pk>/withdraw/", people.withdraw, name="invitation-withdraw"),
]
urlpatterns = [
    *campaign_urls, *result_urls, *crowd_urls, *recruit_urls, *market_urls, *platform_urls
]  # fmt: skip
