"""The plain twin of all tasks: a dictionary that is filled item by item."""

import slotfree as sf


def meaning(task, item):
    """The query that asks for an item, and its answer, by the words of the task."""
    if isinstance(task, sf.AssociativeRecall):
        key, value = item
        return task.n_keys + task.n_values + key, value - task.n_keys
    (token,) = item
    upper = token >= task.n_letters
    return 2 * task.n_letters + token - task.n_letters * upper, int(upper)


def asked_of_a_dictionary(task, sequences, missing=-1):
    """Targets and lags of every query; a query that the dictionary does not know has the answer ``missing``."""
    known, when, now = {}, {}, 0
    targets, lags = [], []
    for items, queries in zip(sequences.items.tolist(), sequences.queries.tolist(), strict=True):
        if getattr(task, "reset", True):
            known, when = {}, {}
        for item in items:
            query, answer = meaning(task, item)
            known[query], when[query] = answer, now
            now += 1
        targets.append([known.get(query, missing) for query in queries])
        lags.append([now - 1 - when[query] if query in when else -1 for query in queries])
    return targets, lags
