"""Judgements of people: protocols, items, allocation, answers, checks and simulated annotators.

All of it is pure: nothing here knows of a web framework or a database. The way of a campaign:

>>> from gistmark.corpus import load, sample_folder
>>> from gistmark.judgements import (
...     Result, assemble, check, export_corpus, finish, choose_slot, configured, get_protocol,
...     items_from, knowledge_from, make_slots, payload, read_answer, simulate, take,
... )
>>> corpus = load(sample_folder())
>>> protocol = configured(get_protocol("fluency"), {"judges": 2})
>>> items = items_from(corpus, protocol)
>>> slots = make_slots(items.items, protocol, seed=7)
>>> slot = take(choose_slot(slots, "ann", seed=7), "ann")
>>> task = assemble(slot, "ann", items.by_id(), protocol, seed=7, planted=corpus.planted)
>>> seen = payload(task, protocol, corpus)
>>> sent = simulate(seen, "careful", knowledge_from(corpus, {}, seed=7), seed=7)
>>> answer = read_answer(sent.answer, protocol, task)
>>> verdict = check(protocol, task, answer, elapsed=sent.seconds)
>>> finish(slot, accepted=verdict.accepted).state
'done'
>>> len(export_corpus(corpus, [Result(task, answer)], protocol, campaign="first").ratings)
5
"""

from gistmark.judgements.allocation import Allocation, Left, Unallocated, allocate, what_is_left
from gistmark.judgements.answers import THRESHOLD, Answer, Given, ItemAnswer, Move
from gistmark.judgements.catalogue import PROTOCOLS, get_protocol
from gistmark.judgements.checks import Flag, Verdict, check
from gistmark.judgements.configuration import configured, protocol_from, to_mapping
from gistmark.judgements.faults import AnswerError, Fault, FaultyInputError, ProtocolError
from gistmark.judgements.heat import HeatMap, HeatWord, heat_map
from gistmark.judgements.highlighting import Sheet, sheet_from
from gistmark.judgements.items import Item, Items, items_from
from gistmark.judgements.knowledge import Knowledge, knowledge_from
from gistmark.judgements.payload import payload
from gistmark.judgements.planted import ProposedPlanted, propose_missing_planted, propose_planted
from gistmark.judgements.protocol import (
    ACTIONS,
    CHECK_KINDS,
    CHECKS_IN_WORDS,
    KINDS,
    SHOWN,
    Checks,
    Dimension,
    Protocol,
)
from gistmark.judgements.questions import (
    ProposedQuestion,
    ProposedQuestions,
    propose_missing_questions,
    propose_questions,
)
from gistmark.judgements.reading import read_answer
from gistmark.judgements.results import Judgements, Result, export_corpus, judgements_from
from gistmark.judgements.scales import Scale
from gistmark.judgements.simulation import STYLES, Simulated, Style, simulate
from gistmark.judgements.slots import (
    Slot,
    choose_slot,
    eligible,
    finish,
    make_slots,
    release,
    take,
    top_up,
)
from gistmark.judgements.tasks import PLANTED_KINDS, Entry, Task, assemble, task_from, what_lacks

__all__ = [
    "ACTIONS",
    "CHECKS_IN_WORDS",
    "CHECK_KINDS",
    "KINDS",
    "PLANTED_KINDS",
    "PROTOCOLS",
    "SHOWN",
    "STYLES",
    "THRESHOLD",
    "Allocation",
    "Answer",
    "AnswerError",
    "Checks",
    "Dimension",
    "Entry",
    "Fault",
    "FaultyInputError",
    "Flag",
    "Given",
    "HeatMap",
    "HeatWord",
    "Item",
    "ItemAnswer",
    "Items",
    "Judgements",
    "Knowledge",
    "Left",
    "Move",
    "ProposedPlanted",
    "ProposedQuestion",
    "ProposedQuestions",
    "Protocol",
    "ProtocolError",
    "Result",
    "Scale",
    "Sheet",
    "Simulated",
    "Slot",
    "Style",
    "Task",
    "Unallocated",
    "Verdict",
    "allocate",
    "assemble",
    "check",
    "choose_slot",
    "configured",
    "eligible",
    "export_corpus",
    "finish",
    "get_protocol",
    "heat_map",
    "items_from",
    "judgements_from",
    "knowledge_from",
    "make_slots",
    "payload",
    "propose_missing_planted",
    "propose_missing_questions",
    "propose_planted",
    "propose_questions",
    "protocol_from",
    "read_answer",
    "release",
    "sheet_from",
    "simulate",
    "take",
    "task_from",
    "to_mapping",
    "top_up",
    "what_is_left",
    "what_lacks",
]
