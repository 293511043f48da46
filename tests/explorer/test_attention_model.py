"""The page's transformers are the library's: the same units win, the same is attended, reinstated and answered."""

import json

import numpy as np
import pytest
from browser import wait_until

from slotfree.explorer import trained
from slotfree.kernels.arithmetic.elementary import exponential
from slotfree.kernels.arithmetic.uniform import stream

INSPECT = """cases => {
  const { models, task, starts } = slotfree.attention.trained;
  const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
  const plain = (value) => isList(value) ? Array.from(value, plain) : value;
  return JSON.stringify(cases.map(([name, context, query, seed]) => {
    const { model, weights } = models[name];
    const trace = model.inspect(weights, task, context, query, starts[seed]);
    return Object.fromEntries(Object.entries(trace).map(([key, value]) => [key, plain(value)]));
  }));
}"""  # as one text, which takes far less time to hand over than many numbers
PREDICT = """([name, contexts, queries, seed]) => {
  const { models, task, starts } = slotfree.attention.trained;
  const { model, weights } = models[name];
  return contexts.map((context, i) => {
    const [lower, upper] = model.inspect(weights, task, context, queries[i], starts[seed]).answered_by;
    return upper > lower ? 1 : 0;
  });
}"""


@pytest.fixture(scope="module", autouse=True)
def _open(explorer):
    explorer.evaluate("location.hash = '#attention'")
    wait_until(explorer, "globalThis.slotfree?.attention !== undefined")


def drawn(n, seed):
    """Contexts and queries at random: letters may come back, and may be asked for without being there."""
    rng = np.random.default_rng(seed)
    contexts = ["".join(rng.choice(list("abcdABCD"), 4)) for _ in range(n)]
    return contexts, rng.choice(list("abcd"), n).tolist(), rng.integers(0, trained.STARTS, n).tolist()


def on_the_page(page, name, cases):
    return json.loads(page.evaluate(INSPECT, [[name, *case] for case in cases]))


def in_python(name, context, query, seed):
    model, weights = trained.load(name)
    if name == "slots":
        return model.inspect(weights, trained.TASK, context, query)
    return model.inspect(weights, trained.TASK, context, query, seed=seed)


@pytest.mark.parametrize("name", [name for name in trained.MODELS if name != "slots"])
def test_traces_are_those_of_the_library(explorer, name):
    cases = list(zip(*drawn(12, 1), strict=True))
    found = on_the_page(explorer, name, cases)
    close = {"rtol": 0, "atol": 1e-12} if name.endswith("/winners") else {"rtol": 0, "atol": 0}  # else to the bit
    for case, page in zip(cases, found, strict=True):
        trace = in_python(name, *case)
        assert np.array_equal(np.reshape(page["winners"], trace.winners.shape), trace.winners), case
        assert np.argmax(page["answered_by"]) == trace.stored_output.argmax(), case
        for part in ("W_HK", "W_VH", "W_IH", "g", "attention", "reinstated", "output", "stored_output"):
            wanted = getattr(trace, part)
            np.testing.assert_allclose(np.reshape(page[part], wanted.shape), wanted, err_msg=f"{part} {case}", **close)


def test_slots_are_those_of_the_library(explorer):
    cases = list(zip(*drawn(30, 2), strict=True))
    found = on_the_page(explorer, "slots", cases)
    for case, page in zip(cases, found, strict=True):
        trace = in_python("slots", *case)
        for part in ("keys", "query", "attention", "reinstated", "output"):
            np.testing.assert_allclose(page[part], getattr(trace, part), rtol=0, atol=1e-12, err_msg=f"{part} {case}")


@pytest.mark.parametrize("name", trained.MODELS)
def test_all_sequences_of_the_task_are_answered_alike(explorer, name):
    model, weights = trained.load(name)
    every, names = trained.TASK.all_sequences(), trained.TASK.token_names
    contexts = ["".join(names[token] for token in context) for context in every.context]
    queries = [names[token] for token in every.query]
    found = explorer.evaluate(PREDICT, [name, contexts, queries, 3])
    assert np.array_equal(found, model.predict(weights, trained.TASK, every.context, every.query, seed=3))


def test_targets_are_those_of_the_task(explorer):
    contexts, queries, seeds = drawn(100, 3)
    found = on_the_page(explorer, "slots", zip(contexts, queries, seeds, strict=True))
    wanted = [trained.TASK.sequence(*case).target[0] for case in zip(contexts, queries, strict=True)]
    assert [page["target"] for page in found] == wanted
    assert {-1, 0, 1} == set(wanted)


def test_where_the_page_offers_no_random_start_there_is_none():
    for context, query, seed in zip(*drawn(10, 4), strict=True):
        one, other = (in_python("query-key/perfect", context, query, number) for number in (0, 1 + seed))
        assert np.array_equal(one.stored_output, other.stored_output)
        assert np.array_equal(one.reinstated, other.reinstated)


def test_the_exponential_function_has_the_same_bits(explorer):
    x = np.random.default_rng(5).uniform(-720, 700, 2000)
    found = explorer.evaluate("xs => xs.map(slotfree.attention.exponential)", x.tolist())
    assert list(map(float, found)) == [exponential(value) for value in x]


def test_streams_have_the_same_keys(explorer):
    keys = np.random.default_rng(6).integers(0, 2**64, 50, dtype=np.uint64)
    script = "keys => keys.map((key, n) => String(slotfree.attention.stream(BigInt(key), n)))"
    found = explorer.evaluate(script, [str(key) for key in keys])
    assert found == [str(stream(key, n)) for n, key in enumerate(keys)]


def test_settings_that_only_python_has_are_refused(explorer):
    make = """storage => {
      try { new slotfree.attention.SlotFreeTransformer({ storage }); } catch (error) { return error.message; }
    }"""
    assert explorer.evaluate(make, {"is": "Winners", "reading": "winners"}) == (
        "Winners: reading must be all on this page"
    )
    assert explorer.evaluate(make, "as printed").startswith("storage must be winner, perfect or Winners")
