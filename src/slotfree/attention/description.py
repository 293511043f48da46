"""Models and tasks as words of a file, and back.

Those of this package are described by their class and its arguments, and can be made again. A task, a key rule, a
storage or a model of a user's own is described by its name and what is known of it: enough to see whether an object is
the one that was saved.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from slotfree import checks
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.key_rules import FIXED, MHN, MHN_AS_PRINTED, QUERY_KEY, KeyRule
from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.address import renewed
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.storages.perfect import Perfect
from slotfree.attention.storages.winners import Winners
from slotfree.files.attributes import in_words
from slotfree.files.safetensors import without_duplicates
from slotfree.tasks.associative_recall import AssociativeRecall
from slotfree.tasks.base import Task
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.latest_case import LatestCase

Kinds = Mapping[str, type]

MODELS: Kinds = {kind.__name__: kind for kind in (BaselineTransformer, SlotFreeTransformer)}
STORAGES: Kinds = {kind.__name__: kind for kind in (OneWinner, Perfect, Winners)}
TASKS: Kinds = {kind.__name__: kind for kind in (CaseSequenceTask, LatestCase, AssociativeRecall)}
RULES = {rule.name: rule for rule in (FIXED, MHN, QUERY_KEY, MHN_AS_PRINTED)}


def model_words(model: Model) -> str:
    """A model in words."""
    return json.dumps(_model(model))


def task_words(task: Task) -> str:
    """A task in words."""
    return json.dumps(_task(task))


def model_of(words: str, given: Model | None = None) -> Model:
    """Return the model that words describe: the one given, if any, must be it.

    Raises
    ------
    LookupError : if words tell of a model, key rule or storage that is not of this package, and none is given; or if
        the one that is given is another.
    TypeError, ValueError, RecursionError : if words do not describe a model.
    """
    model: Model = _chosen("model", _made_model, words, given, model_words)
    return model


def task_of(words: str, given: Task | None = None) -> Task:
    """Return the task that words describe: the one given, if any, must be it. Errors are as in ``model_of``."""
    task: Task = _chosen("task", lambda told: _made(told, TASKS), words, given, task_words)
    return task


def _chosen(name: str, make: Any, words: str, given: Any, in_words: Any) -> Any:
    told = json.loads(words, object_pairs_hook=without_duplicates)
    today = _renewed(told)
    if today != told:
        told, words = today, json.dumps(today)
    if given is not None:
        if in_words(given) != words:
            raise LookupError(f"{name} must be the one that was saved, {words}, not {in_words(given)}")
        return given
    own = _own_parts(told)
    if own:
        raise LookupError(
            f"{name} must be given, as load(path, {name}=...): what was saved has {own[0]!r}, which is not of slotfree"
        )
    made = make(told)
    if in_words(made) != words:
        raise ValueError(f"the {name} is not written as slotfree writes it: {words}")
    return made


def _renewed(told: Any) -> Any:
    """A description of version 0.16 or before in today's words, any other as it is."""
    storage = told.get("storage") if isinstance(told, dict) else None
    if not isinstance(storage, dict) or storage.get("is") != Winners.__name__ or "projections" not in storage:
        return told
    storage = renewed(storage)
    return told | {"storage": storage if told.get("input_projections") else storage | {"address": None}}


def _model(model: Model) -> dict[str, Any]:
    told = _described(model, MODELS)
    if isinstance(model, SlotFreeTransformer):
        told |= {"key_rule": _rule(model.rule), "storage": _described(model.context_storage, STORAGES)}
    return told


def _made_model(told: Any) -> Model:
    arguments = dict(told)
    if "key_rule" in arguments:
        arguments["key_rule"] = RULES[_one_of("key rule", arguments["key_rule"], RULES)]
    if "storage" in arguments:
        arguments["storage"] = _made(arguments["storage"], STORAGES)
    model: Model = _made(arguments, MODELS)
    return model


def _rule(rule: KeyRule) -> Any:
    return rule.name if RULES.get(rule.name) == rule else _own(rule)


def _task(task: Task) -> dict[str, Any]:
    told = _described(task, TASKS)
    if "own" in told:
        told |= {"sizes": [task.n_tokens, task.n_outputs, task.context_length]}
    return told


def _described(value: Any, kinds: Kinds) -> dict[str, Any]:
    """An object of one of some classes by the arguments that make it again; any other for people."""
    name = type(value).__name__
    if kinds.get(name) is not type(value) or not is_dataclass(value):
        return _own(value)
    return {"is": name, **{field.name: in_words(getattr(value, field.name)) for field in fields(value)}}


def _own(value: Any) -> dict[str, Any]:
    parts = {field.name: getattr(value, field.name) for field in fields(value)} if is_dataclass(value) else {}
    known: dict[str, Any] = in_words(parts)
    return {"own": value.name if isinstance(value, KeyRule) else type(value).__qualname__, **known}


def _own_parts(told: Any) -> list[Any]:
    """The names of what is not of this package, in a description."""
    if not isinstance(told, dict):
        return []
    return [told["own"]] if "own" in told else [own for part in told.values() for own in _own_parts(part)]


def _made(told: Any, kinds: Kinds) -> Any:
    """An object of one of some classes."""
    if not isinstance(told, dict):
        raise TypeError(f"a description must be a JSON object, not {checks.shown(told)}")
    arguments = dict(told)
    return kinds[_one_of("class", arguments.pop("is", None), kinds)](**arguments)


def _one_of(what: str, name: Any, known: Mapping[str, Any]) -> str:
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"the {what} must be one of {', '.join(known)}, not {checks.shown(name)}")
    return name
