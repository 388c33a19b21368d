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

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmark.runtime.lazy import lazy_imports

if TYPE_CHECKING:
    from gistmark.judgements.answers import THRESHOLD as THRESHOLD
    from gistmark.judgements.answers import Answer as Answer
    from gistmark.judgements.answers import Judgements as Judgements
    from gistmark.judgements.answers import Move as Move
    from gistmark.judgements.answers import Result as Result
    from gistmark.judgements.answers import condition_of as condition_of
    from gistmark.judgements.answers import export_corpus as export_corpus
    from gistmark.judgements.answers import judgements_from as judgements_from
    from gistmark.judgements.answers import read_answer as read_answer
    from gistmark.judgements.answers import records_from as records_from
    from gistmark.judgements.answers import with_records as with_records
    from gistmark.judgements.answers import without_judgements as without_judgements
    from gistmark.judgements.checks import CHECKS as CHECKS
    from gistmark.judgements.checks import Check as Check
    from gistmark.judgements.checks import CheckResult as CheckResult
    from gistmark.judgements.checks import Flag as Flag
    from gistmark.judgements.checks import get_check as get_check
    from gistmark.judgements.checks.attention import check as check
    from gistmark.judgements.checks.planted import ProposedPlanted as ProposedPlanted
    from gistmark.judgements.checks.planted import (
        propose_missing_planted as propose_missing_planted,
    )
    from gistmark.judgements.checks.planted import propose_planted as propose_planted
    from gistmark.judgements.checks.statements import ProposedQuestion as ProposedQuestion
    from gistmark.judgements.checks.statements import ProposedQuestions as ProposedQuestions
    from gistmark.judgements.checks.statements import (
        propose_missing_questions as propose_missing_questions,
    )
    from gistmark.judgements.checks.statements import propose_questions as propose_questions
    from gistmark.judgements.fields import AnswerError as AnswerError
    from gistmark.judgements.fields import Fault as Fault
    from gistmark.judgements.fields import FaultyInputError as FaultyInputError
    from gistmark.judgements.fields import ProtocolError as ProtocolError
    from gistmark.judgements.highlights import HeatMap as HeatMap
    from gistmark.judgements.highlights import HeatWord as HeatWord
    from gistmark.judgements.highlights import Sheet as Sheet
    from gistmark.judgements.highlights import heat_map as heat_map
    from gistmark.judgements.protocols import PROTOCOLS as PROTOCOLS
    from gistmark.judgements.protocols import get_protocol as get_protocol
    from gistmark.judgements.protocols import unchanged_texts as unchanged_texts
    from gistmark.judgements.protocols.own import as_form as as_form
    from gistmark.judgements.protocols.own import has_form as has_form
    from gistmark.judgements.protocols.own import starting_protocol as starting_protocol
    from gistmark.judgements.protocols.protocol import SHOWN as SHOWN
    from gistmark.judgements.protocols.protocol import Checks as Checks
    from gistmark.judgements.protocols.protocol import Dimension as Dimension
    from gistmark.judgements.protocols.protocol import Protocol as Protocol
    from gistmark.judgements.protocols.protocol import Scale as Scale
    from gistmark.judgements.protocols.settings import configured as configured
    from gistmark.judgements.protocols.settings import protocol_from as protocol_from
    from gistmark.judgements.protocols.settings import to_mapping as to_mapping
    from gistmark.judgements.questions import QUESTION_TYPES as QUESTION_TYPES
    from gistmark.judgements.questions import ItemAnswer as ItemAnswer
    from gistmark.judgements.questions import QuestionType as QuestionType
    from gistmark.judgements.questions import Texts as Texts
    from gistmark.judgements.questions import get_question_type as get_question_type
    from gistmark.judgements.simulation import STYLES as STYLES
    from gistmark.judgements.simulation import Knowledge as Knowledge
    from gistmark.judgements.simulation import Simulated as Simulated
    from gistmark.judgements.simulation import Style as Style
    from gistmark.judgements.simulation import knowledge_from as knowledge_from
    from gistmark.judgements.simulation import simulate as simulate
    from gistmark.judgements.tasks.items import Item as Item
    from gistmark.judgements.tasks.items import Items as Items
    from gistmark.judgements.tasks.items import items_from as items_from
    from gistmark.judgements.tasks.previews import Preview as Preview
    from gistmark.judgements.tasks.previews import judge as judge
    from gistmark.judgements.tasks.previews import preview as preview
    from gistmark.judgements.tasks.previews import sketch as sketch
    from gistmark.judgements.tasks.slots import Allocation as Allocation
    from gistmark.judgements.tasks.slots import Balance as Balance
    from gistmark.judgements.tasks.slots import Pool as Pool
    from gistmark.judgements.tasks.slots import Slot as Slot
    from gistmark.judgements.tasks.slots import Submitted as Submitted
    from gistmark.judgements.tasks.slots import Unallocated as Unallocated
    from gistmark.judgements.tasks.slots import allocate as allocate
    from gistmark.judgements.tasks.slots import balance as balance
    from gistmark.judgements.tasks.slots import choose_batch as choose_batch
    from gistmark.judgements.tasks.slots import claim as claim
    from gistmark.judgements.tasks.slots import decide as decide
    from gistmark.judgements.tasks.slots import make_slots as make_slots
    from gistmark.judgements.tasks.slots import regain as regain
    from gistmark.judgements.tasks.slots import release as release
    from gistmark.judgements.tasks.slots import submit as submit
    from gistmark.judgements.tasks.task import PLANTED_KINDS as PLANTED_KINDS
    from gistmark.judgements.tasks.task import Entry as Entry
    from gistmark.judgements.tasks.task import Task as Task
    from gistmark.judgements.tasks.task import assemble as assemble
    from gistmark.judgements.tasks.task import payload as payload
    from gistmark.judgements.tasks.task import task_from as task_from
    from gistmark.judgements.tasks.task import what_lacks as what_lacks
    from gistmark.judgements.verdicts import ACTIONS as ACTIONS
    from gistmark.judgements.verdicts import VERDICTS as VERDICTS
    from gistmark.judgements.verdicts import Verdict as Verdict

__getattr__, __dir__, __all__ = lazy_imports(__name__)
