"""A study of one's own from a Python file."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from slotfree import checks
from slotfree.runs.errors import UserError
from slotfree.study.describe import is_of_others
from slotfree.study.item import Item
from slotfree.study.outcome import one_line
from slotfree.study.sentence import Sentence, TextError, judges_of
from slotfree.study.study import Study

EXAMPLE = "STUDY = Study(title=..., items=(Item(...),)), with both from slotfree.study"


class StudyError(UserError):
    """A file is not a study; the message says what would be right."""


def load_study(path: Path) -> Study:
    """Return the study that a Python file defines as ``STUDY``."""
    if path.is_dir():
        raise StudyError(f"{path} is a directory; name the Python file in it that defines the study")
    if not path.is_file():
        raise StudyError(f"there is no file {path}")
    if path.suffix != ".py":
        raise StudyError(f"a study is a Python file, such as my_study.py, not {path}")
    module = _imported(path)
    if not hasattr(module, "STUDY"):
        items = [name for name, value in vars(module).items() if isinstance(value, Item)]
        hint = f"; it has the items {', '.join(items)}: make them a study" if items else ""
        raise StudyError(f"{path} defines no STUDY{hint}; a study file says: {EXAMPLE}")
    study = module.STUDY
    if not isinstance(study, Study):
        raise StudyError(f"STUDY in {path} must be a Study, not a {type(study).__name__}; a study file says: {EXAMPLE}")
    _check(study, path)
    return study


def modules_of(study: Study) -> list[ModuleType]:
    """The module whose ``STUDY`` a study is, and those that lie beside it; none if it is ours, or of a notebook."""
    named = sorted(sys.modules.items(), key=lambda pair: pair[0] == "__main__")  # a script may have imported it
    for _, module in named:
        if getattr(module, "__dict__", {}).get("STUDY") is study and getattr(module, "__file__", None):
            return [module, *_beside(module)] if is_of_others(module) else []
    return []


def _imported(path: Path) -> ModuleType:
    """Run a file as a module that bears its name; modules beside it can be imported by it."""
    name = path.stem if _is_free(path.stem, path) else f"study_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None  # the name ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise StudyError(f"{path} cannot be run: {one_line(error)}") from error
    return module


def _beside(module: ModuleType) -> list[ModuleType]:
    """The modules that lie in the folder of a module, or below it, and are imported."""
    file = Path(str(module.__file__))
    others = [other for other in sys.modules.values() if other is not module and getattr(other, "__file__", None)]
    return [other for other in others if file.parent in Path(str(other.__file__)).parents and is_of_others(other)]


def _is_free(name: str, path: Path) -> bool:
    """Whether a module of this name would hide no other."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None) == str(path.resolve())
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return True
    return spec is None or spec.origin == str(path.resolve())


def _check(study: Study, path: Path) -> None:
    if not isinstance(study.items, tuple) or not study.items:
        raise StudyError(f"items of STUDY in {path} must be a tuple of at least one Item")
    if not isinstance(study.title, str) or not study.title:
        raise StudyError(f"title of STUDY in {path} must be a few words, not {checks.shown(study.title)}")
    for item in study.items:
        if not isinstance(item, Item):
            raise StudyError(f"items of STUDY in {path} must be Items, not a {type(item).__name__}")
        for experiment in item.experiments:
            try:
                experiment.identity(0)
            except TypeError as error:
                raise StudyError(f"experiment {experiment.name!r} in {path} cannot be run: {error}") from error
    _check_text(study, path)
    twice = next((name for name in study.names if study.names.count(name) > 1), None)
    if twice is not None:
        raise StudyError(f"items of STUDY in {path} must have different names, but two are called {twice!r}")


def _check_text(study: Study, path: Path) -> None:
    """Refuse sentences that nothing can judge, with their file and line."""
    for sentence in study.text:
        if not isinstance(sentence, Sentence):
            raise StudyError(f"text of STUDY in {path} must be sentences, such as says(...), not {sentence!r}")
    try:
        judges_of(study.sentences(), study.names)
        for sentence in study.sentences():
            if sentence.kind == "construction":
                sentence.check_held_by(path.parent)
    except TextError as error:
        raise StudyError(str(error)) from None
