"""Made-up results, with texts that try to break the page."""

HOSTILE = "<script>alert(1)</script> & \"quoted\" <b>'bold'</b>"


def claim(item, name, *, holds=True, **values):
    row = {"id": f"{item}.{name}", "item": item, "claim": f"What {name} says.", "paper": 1.0, "measured": 0.98765}
    return {**row, "interval": [0.9, None], "holds": holds, **values}


def made_item(name, claims, experiments=None):
    shows = f"What {name} shows {HOSTILE}"
    row = {"item": name, "shows": shows, "runs": 20, "core_seconds": 150.0, "tables": [name], "claims": claims}
    return row if experiments is None else {**row, "experiments": experiments}


def some_items():
    """Three items with four claims, of which two hold."""
    formula = "W_QᵀW_K & n_h < d_prime [quick scale]"
    return [
        made_item("fig4", [claim("fig4", "good-100%"), claim("fig4", "bad-100%", holds=False, claim=HOSTILE)]),
        made_item("fig7", [claim("fig7", "W_K", claim=formula, paper="≥ 0.96", interval=None)]),
        made_item("tableS1", [claim("tableS1", "none", holds=False, measured=None, interval=[None, None], paper=None)]),
    ]


def some_manifest():
    scale = {"name": "quick", "samples": 2, "runs_per_sample": 4, "n_stored": 900, "training_runs": 3}
    machine = {"processor": f"Abacus {HOSTILE}", "cores": 2, "memory_gb": None, "system": "Linux", "python": "3.12"}
    return {
        "settings": {"slotfree": "9.8.7", "scale": {**scale, "iterations": 2000}, "seed": 5},
        "begun": "2026-01-02T04:04:05+01:00",
        "machine": machine,
        "packages": {"numpy": "2.0", "scipy": "1.13"},
    }
