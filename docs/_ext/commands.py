"""The command line as pages: every command with the words of its ``--help``, in their order there."""

from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc
from textwrap import indent

import click
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Commands(SphinxDirective):
    """``.. commands:: module:group`` describes all commands of a group."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write reStructuredText, and let Sphinx read it."""
        module, name = self.arguments[0].split(":")
        group = getattr(import_module(module), name)
        context = click.Context(group, info_name=group.name if group.name != "cli" else "slotfree")
        lines = StringList("\n".join(described(context)).splitlines(), self.arguments[0])
        section = nodes.section(document=self.state.document)
        self.state.nested_parse(lines, 0, section, match_titles=True)
        return section.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def described(context: click.Context) -> Iterator[str]:
    """A command, and those below it."""
    command = context.command
    yield from help_text(cleandoc(command.help or ""))
    yield from code(" ".join((context.command_path, *command.collect_usage_pieces(context))), "text")
    yield f".. program:: {context.command_path}"
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record is not None and isinstance(option, click.Option) and "--help" not in option.opts:
            names = ", ".join((*option.opts, *option.secondary_opts))
            value = "" if option.is_flag else f" {option.make_metavar(context)}"
            yield from ("", f".. option:: {names}{value}", "", indent(plain(record[1]), "   "), "")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = click.Context(command.get_command(context, name), info_name=name, parent=context)
            title = child.command_path
            yield from ("", title, "-" * len(title), "", *described(child))


def help_text(text: str) -> Iterator[str]:
    """Paragraphs of a help text; those behind a backspace are lines to be typed."""
    for paragraph in text.expandtabs().split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield from code(paragraph.removeprefix("\b\n"), "text")
        else:
            yield from (plain(paragraph), "")


def code(text: str, language: str) -> Iterator[str]:
    """Lines as they are typed."""
    yield from (f".. code-block:: {language}", "", indent(text, "   "), "")


def plain(text: str) -> str:
    """Words without markup."""
    return "".join("\\" + letter if letter in "*`|_\\" else letter for letter in text)
