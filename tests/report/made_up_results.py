"""Made-up results, with texts that try to break the page."""

from slotfree.study.finding import Finding
from slotfree.study.judge import more
from slotfree.study.study import Study

HOSTILE = "<script>alert(1)</script> & \"quoted\" <b>'bold'</b>"
NAMES = ("fig4", "fig7", "tableS1", "stackS1")


def judge(name):
    return more(name, lambda r: [1, 2], 0, "what is measured")


SHOWN = tuple(map(judge, ("fig4.good-100%", "fig4.bad-100%", "fig7.W_K")))


def some_study(**others):
    """A study of four items, with two findings, of which results show the first."""
    table = (("what", "ours"), ("printed", "{fig7.W_K:paper}"))
    findings = (
        Finding("keys", "W_K is not W_Q by {fig4.good-100%}", "At most {fig4.good-100%:high}.", SHOWN, table=table),
        Finding("other", "Something that was not run.", "It is not shown.", (judge("tableS1.gone"),)),
    )
    parts = {"title": f"Slots {HOSTILE}", "items": tuple(f"x.{name}" for name in NAMES), "findings": findings}
    return Study(**{**parts, "about": "What the paper says about W_V.", **others})


def claim(item, name, verdict="confirmed", **values):
    row = {"id": f"{item}.{name}", "item": item, "claim": f"What {name} says.", "source": "paper", "paper": 1.0}
    row |= {"measured": 0.98765, "interval": [0.9812, 0.9941], "limits": [0.9, None], "verdict": verdict}
    return {**row, "recorded": "confirmed", "holds": verdict == "confirmed", **values}


def made_item(name, claims=(), experiments=None, explained=None):
    return {
        "item": name,
        "number": name.replace("fig", "Figure "),
        "title": f"The title of {name}",
        "text": f"What {name} shows {HOSTILE}. What n_h means.",
        "alt": f"The figure of {name} in words, as many as a reader needs {HOSTILE}",
        "runs": 20,
        "core_seconds": 150.0,
        "experiments": {name: 150.0} if experiments is None else experiments,
        "tables": [name],
        "claims": list(claims),
        "explained": explained or {},
    }


def some_items():
    """Three items: four claims of the paper and one of ours; two are confirmed."""
    contradicted = claim("fig4", "bad-100%", "contradicted", claim=HOSTILE, recorded="contradicted")
    formula = "W_QᵀW_K & n_h < d_prime"
    nothing = {"measured": None, "interval": [None, None], "limits": [0.1, 0.3], "paper": "none at all"}
    ours = {"source": "ours", "paper": "", "limits": [None, -0.5]}
    why = {"fig4.bad-100%": "Because n_h is small: {measured}, not {paper}."}
    return [
        made_item("fig4", [claim("fig4", "good-100%"), contradicted], explained=why),
        made_item("fig7", [claim("fig7", "W_K", claim=formula, paper="≥ 0.96", interval=[0.5, 0.5])]),
        made_item(
            "tableS1",
            [
                claim("tableS1", "open", "inconclusive", recorded="inconclusive", **nothing),
                claim("tableS1", "own", "contradicted", recorded="contradicted", **ours),
            ],
        ),
    ]


def without_verdicts(items):
    """The same as a smaller scale writes them."""
    return [{**item, "claims": [{**row, "verdict": None, "holds": False} for row in item["claims"]]} for item in items]


def some_manifest(scale="paper", seed=0, **settings):
    sizes = {"runs": 8, "n_stored": 900, "n_tested": 300, "iterations": 2000}
    limits = sizes if scale == "quick" else dict.fromkeys(sizes)
    machine = {"processor": f"Abacus {HOSTILE}", "cores": 2, "memory_gb": None, "system": "Linux", "python": "3.12"}
    return {
        "settings": {"slotfree": "9.8.7", "scale": {"name": scale, **limits}, "seed": seed, **settings},
        "begun": "2026-01-02T04:04:05+01:00",
        "machine": machine,
        "packages": {"numpy": "2.0", "scipy": "1.13"},
    }
