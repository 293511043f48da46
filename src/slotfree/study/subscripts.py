"""The paper's letters in HTML: W_K and n_h with their subscripts."""

import re

from markupsafe import Markup, escape

SUBSCRIPT = re.compile(r"(?<![A-Za-z_])([^\W\d_])_([A-Za-z]{1,2})(?![A-Za-z_])")


def formula(text: str) -> Markup:
    """Set the paper's letters with their subscripts in a text that is escaped first."""
    return Markup(SUBSCRIPT.sub(r"<i>\1</i><sub>\2</sub>", str(escape(text))))
