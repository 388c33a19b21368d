"""Judgements of people: protocols, items, allocation, answers, checks and simulated annotators.

All of it is pure: nothing here knows of a web framework or a database. The way of a campaign:

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
>>> verdict = check(protocol, task, answer, elapsed=sent.seconds)
>>> submit(slot, accepted=verdict.accepted, open_slots=0).slot.state
'done'
>>> len(export_corpus(corpus, [Result(task, answer)], protocol, campaign="first").ratings)
5
"""

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
    "Balance",
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
    "Move",
    "Pool",
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
    "Submitted",
    "Task",
    "Unallocated",
    "Verdict",
    "allocate",
    "assemble",
    "balance",
    "check",
    "choose_batch",
    "claim",
    "configured",
    "decide",
    "export_corpus",
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
    "regain",
    "release",
    "sheet_from",
    "simulate",
    "submit",
    "task_from",
    "to_mapping",
    "what_lacks",
]
