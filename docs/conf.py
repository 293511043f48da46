"""How Sphinx makes the documentation: ``make docs`` writes it to site/."""

import os
import shutil
import sys
from pathlib import Path
from unittest.mock import MagicMock

from jupyter_cache import get_cache
from sphinx.application import Sphinx

import slotfree
from slotfree.explorer.page import write_page
from slotfree.runs.package_hash import package_hash

HERE = Path(__file__).parent
EXECUTED = HERE.parent / ".venv" / "notebooks"  # by the hash of the package that they were run with
sys.path.insert(0, str(HERE / "_ext"))
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # notebooks run beside each other
os.environ["PYTHONWARNINGS"] = "error::RuntimeWarning,error::UserWarning"  # of a notebook: a page hides none

# Docstrings of layers are read without PyTorch: in its place is something that has what classes and annotations name.
for name in ("torch", "torch.nn"):
    sys.modules[name] = MagicMock(Tensor=type("Tensor", (), {}), Module=type("Module", (), {}))
sys.modules["torch"].nn = sys.modules["torch.nn"]
sys.modules["torch"].autograd.Function = type("Function", (), {})

project = "slotfree"
author = "The slotfree authors"
release = slotfree.__version__
html_title = f"slotfree {release}"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "commands",
    "docstrings",
    "maths",
    "notebooks",
    "paper_pages",
]
exclude_patterns = ["_ext", "_static"]
nitpicky = True
nitpick_ignore = [("py:class", "numpy.float64")]
smartquotes = False  # the paper's d' has a prime

# Pages are Markdown. Notebooks are run anew if they or the package changed: what they show is what the code does.
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_cache_path = str(EXECUTED / package_hash())
nb_execution_in_temp = True
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
nb_output_stderr = "remove"  # that kernels are compiled, once

autodoc_member_order = "bysource"
autodoc_typehints = "none"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["slotfree.css", "paper.css"]
html_js_files = ["sort.js"]
html_math_renderer = "svg"
html_show_sphinx = False
html_domain_indices = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072B2", "color-brand-content": "#0072B2"},
    "dark_css_variables": {"color-brand-primary": "#56B4E9", "color-brand-content": "#56B4E9"},
}
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True


def keep_the_tree_clean(app: Sphinx) -> None:
    """Let notebooks leave their pictures with the doctrees; by default they go beside the site, into the checkout."""
    app.env.mystnb_config = app.env.mystnb_config.copy(output_folder=str(Path(app.doctreedir) / "outputs"))


def prepare_the_cache(app: Sphinx) -> None:
    """Forget notebooks run with other code, and make the cache before processes share it."""
    for folder in EXECUTED.glob("*"):
        if str(folder) != nb_execution_cache_path:
            shutil.rmtree(folder)
    get_cache(nb_execution_cache_path).db.connect().close()


def setup(app: Sphinx) -> None:
    """Put the explorer beside the pages: it is a page of its own."""
    app.connect("builder-inited", prepare_the_cache)
    app.connect("builder-inited", keep_the_tree_clean, priority=501)  # after myst-nb
    app.connect("build-finished", lambda app, failure: failure or write_page(Path(app.outdir) / "explorer.html"))
