"""Judgements of people: protocols, items, allocation, answers, checks and simulated annotators.

All of it is pure: nothing here knows of a web framework or a database. A campaign in short:

>>> from gistmark.corpus import load, sample_folder
>>> from gistmark.judgements import (
...     Result, allocate, assemble, check, claim, configured, export_corpus, get_protocol,
...     items_from, knowledge_from, make_slots, payload, read_answer, simulate, submit,
... )
>>> corpus = load(sample_folder())
>>> protocol = configured(get_protocol("fluency"), {"judges": 2})
>>> items = items_from(corpus, protocol)
>>> slots = make_slots(items.items, protocol, seed=7)
>>> first, *others = allocate(slots, ["ann"], seed=7).slots["ann"]
>>> slot = next(claim(slot, "ann") for slot in slots if slot.id == first)
>>> task = assemble(slot, "ann", items.by_id(), protocol, seed=7, planted=corpus.planted)
>>> seen = payload(task, protocol, corpus)
>>> sent = simulate(seen, "careful", knowledge_from(corpus, {}, seed=7), seed=7)
>>> answer = read_answer(sent.answer, protocol, task)
>>> checked = check(protocol, task, answer, elapsed=sent.seconds)
>>> submit(slot, verdict=checked.verdict, open_slots=0).slot.state
'done'
>>> len(export_corpus(corpus, [Result(task, answer)], protocol, campaign="first").ratings)
5
"""

from gistmark.judgements.answers import (
    THRESHOLD,
    Answer,
    Judgements,
    Move,
    Result,
    condition_of,
    export_corpus,
    judgements_from,
    read_answer,
    records_from,
    with_records,
    without_judgements,
)
from gistmark.judgements.checks import CHECKS, Check, CheckResult, Flag, get_check
from gistmark.judgements.checks.attention import check
from gistmark.judgements.checks.planted import (
    ProposedPlanted,
    propose_missing_planted,
    propose_planted,
)
from gistmark.judgements.checks.statements import (
    ProposedQuestion,
    ProposedQuestions,
    propose_missing_questions,
    propose_questions,
)
from gistmark.judgements.fields import AnswerError, Fault, FaultyInputError, ProtocolError
from gistmark.judgements.highlights import HeatMap, HeatWord, Sheet, heat_map
from gistmark.judgements.protocols import PROTOCOLS, get_protocol, unchanged_texts
from gistmark.judgements.protocols.own import as_form, has_form, starting_protocol
from gistmark.judgements.protocols.protocol import (
    SHOWN,
    Checks,
    Dimension,
    Protocol,
    Scale,
)
from gistmark.judgements.protocols.settings import configured, protocol_from, to_mapping
from gistmark.judgements.questions import (
    QUESTION_TYPES,
    ItemAnswer,
    QuestionType,
    Texts,
    get_question_type,
)
from gistmark.judgements.simulation import (
    STYLES,
    Knowledge,
    Simulated,
    Style,
    knowledge_from,
    simulate,
)
from gistmark.judgements.tasks.items import Item, Items, items_from
from gistmark.judgements.tasks.previews import Preview, judge, preview, sketch
from gistmark.judgements.tasks.slots import (
    Allocation,
    Balance,
    Pool,
    Slot,
    Submitted,
    Unallocated,
    allocate,
    balance,
    choose_batch,
    claim,
    decide,
    make_slots,
    regain,
    release,
    submit,
)
from gistmark.judgements.tasks.task import (
    PLANTED_KINDS,
    Entry,
    Task,
    assemble,
    payload,
    task_from,
    what_lacks,
)
from gistmark.judgements.verdicts import ACTIONS, VERDICTS, Verdict

__all__ = [
    "ACTIONS",
    "CHECKS",
    "PLANTED_KINDS",
    "PROTOCOLS",
    "QUESTION_TYPES",
    "SHOWN",
    "STYLES",
    "THRESHOLD",
    "VERDICTS",
    "Allocation",
    "Answer",
    "AnswerError",
    "Balance",
    "Check",
    "CheckResult",
    "Checks",
    "Dimension",
    "Entry",
    "Fault",
    "FaultyInputError",
    "Flag",
    "HeatMap",
    "HeatWord",
    "Item",
    "ItemAnswer",
    "Items",
    "Judgements",
    "Knowledge",
    "Move",
    "Pool",
    "Preview",
    "ProposedPlanted",
    "ProposedQuestion",
    "ProposedQuestions",
    "Protocol",
    "ProtocolError",
    "QuestionType",
    "Result",
    "Scale",
    "Sheet",
    "Simulated",
    "Slot",
    "Style",
    "Submitted",
    "Task",
    "Texts",
    "Unallocated",
    "Verdict",
    "allocate",
    "as_form",
    "assemble",
    "balance",
    "check",
    "choose_batch",
    "claim",
    "condition_of",
    "configured",
    "decide",
    "export_corpus",
    "get_check",
    "get_protocol",
    "get_question_type",
    "has_form",
    "heat_map",
    "items_from",
    "judge",
    "judgements_from",
    "knowledge_from",
    "make_slots",
    "payload",
    "preview",
    "propose_missing_planted",
    "propose_missing_questions",
    "propose_planted",
    "propose_questions",
    "protocol_from",
    "read_answer",
    "records_from",
    "regain",
    "release",
    "simulate",
    "sketch",
    "starting_protocol",
    "submit",
    "task_from",
    "to_mapping",
    "unchanged_texts",
    "what_lacks",
    "with_records",
    "without_judgements",
]
