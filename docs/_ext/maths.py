"""Maths as SVG, set when the pages are made: a reader needs no script, no font and no network."""

import re
from html import escape

import ziamath
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

ziamath.config.math.color = "currentColor"  # of the text around it, in light and dark pages
ziamath.config.svg2 = False  # no identifiers, which formulas of one page would share
SIZES = {True: 17.5, False: 16.0}  # of letters in pixels: inline, and on a line of its own


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx set maths this way: ``html_math_renderer = "svg"``."""
    app.add_html_math_renderer("svg", (inline, None), (display, None))
    app.connect("doctree-resolved", keep_together)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep_together(app: Sphinx, page: nodes.document, name: str) -> None:
    """Let no line begin with what closes a formula: punctuation goes with the formula before it."""
    for formula in page.findall(nodes.math):
        behind = formula.next_node(descend=False, siblings=True)
        if isinstance(behind, nodes.Text) and (closing := re.match(r"[\w).,;:!?'%-]+", behind)):
            formula["closing"] = closing[0]
            behind.parent.replace(behind, nodes.Text(behind[closing.end() :]))


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    formula, closing = picture(node.astext(), inline=True), node.get("closing")
    translator.body.append(f'<span class="together">{formula}{escape(closing)}</span>' if closing else formula)
    raise nodes.SkipNode


def display(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number if it has one."""
    number = f'<span class="eqno">({get_node_equation_number(translator, node)})</span>' if node["number"] else ""
    formula = picture(node.astext(), inline=False)
    translator.body.append(translator.starttag(node, "div", CLASS="math") + f"{formula}{number}</div>\n")
    raise nodes.SkipNode


def picture(tex: str, *, inline: bool) -> str:
    """Return a formula as SVG; who does not see it reads its TeX."""
    drawn = ziamath.Latex(re.sub(r"\s+", " ", tex.strip()), size=SIZES[inline], inline=inline)
    svg = re.sub(r'\s(height|width)="([\d.]+)"', lambda m: f' {m[1]}="{float(m[2]) / 16:.4f}em"', drawn.svg(), count=2)
    depth = -drawn.getyofst() / 16
    attributes = f'role="img" aria-label="{escape(tex.strip())}" style="vertical-align:{-depth:.4f}em"'
    return svg.replace("<svg ", f"<svg {attributes} ", 1)
