# make paper   set up, then run the main job: reproduce the paper
# make beyond  set up, then run what goes beyond the paper, into the same report
# make scale   set up, then run theory and simulation up to a billion synapses, into the same report
# make bench-memories  set up, then compare memories with each other and with people, into the same report
# make test    set up, then run the tests
# make test-core  set up, then run the tests but for the site, the browser, clusters, packages and tiny runs of all items
# make torch   set up with PyTorch, its CPU build if there is one, then run the tests of slotfree.torch
# make long    set up, then run the tests that repeat something thousands of times: damaged files, killed programs
# make bounds  set up, then run the core of the tests with a check of every index compiled into the kernels
# make check   set up, then lint, check types and the direction of imports
# make mutants set up, then make the code wrong in two hundred small ways, and see whether a test fails each time
# make bench   set up, then measure speed and memory
# make docs    set up, then write the documentation to site/; a warning is an error
# make explorer set up, then join the explorer into one page, site/explorer.html
# make verdicts set up, then record the verdicts, and write the figures of docs/paper, from the results of make paper
# make format  set up, then lay the code out

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
# Python is started hundreds of times: it keeps its bytecode, or each start would read all sources again.
unexport PYTHONDONTWRITEBYTECODE

# Kernels are compiled in an environment that is set up.
.NOTPARALLEL:

.PHONY: paper beyond scale bench-memories test test-core torch long bounds check mutants bench docs explorer verdicts format clean

paper: .venv/ready .venv/kernels
	$(BIN)/slotfree reproduce paper

beyond: .venv/ready .venv/kernels
	$(BIN)/slotfree reproduce beyond

scale: .venv/ready .venv/kernels
	$(BIN)/slotfree reproduce scale

bench-memories: .venv/ready .venv/kernels
	$(BIN)/slotfree reproduce memories

test: .venv/ready .venv/kernels
	$(BIN)/python -m pytest

test-core: .venv/ready .venv/kernels
	$(BIN)/python -m pytest -m "not site and not browser and not cluster and not package and not everything and not long"

torch: .venv/torch .venv/kernels
	$(BIN)/python -m pytest tests/torch

long: .venv/ready .venv/kernels
	$(BIN)/python -m pytest -m long

bounds: .venv/ready
	rm -rf .venv/bounds
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.venv/bounds $(BIN)/python -m pytest tests/kernels tests/memory tests/patterns tests/tasks tests/attention tests/forgetting

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

mutants: .venv/ready .venv/kernels
	$(BIN)/python tests/mutants.py --sample 200 --seed 1

bench: .venv/ready .venv/kernels
	status=0; for part in memory scale other_memories prediction attention context key_value sharded cluster; do $(BIN)/python benchmarks/$$part.py || status=1; done; exit $$status

# With sixteen jobs Sphinx deals pages in heaps of three: the tutorials, which take the time, are then shared by the cores.
docs: .venv/docs .venv/kernels
	$(BIN)/sphinx-build --fail-on-warning --keep-going --fresh-env --quiet -j 16 -d .venv/doctrees docs site
	@echo "the documentation is in site/index.html"

explorer: .venv/ready src/slotfree/explorer/data/theory.bin
	mkdir -p site
	$(BIN)/slotfree explore --no-open --out site/explorer.html

src/slotfree/explorer/data/theory.bin: | .venv/ready .venv/kernels
	$(BIN)/python -m slotfree.explorer.theory

verdicts: .venv/ready
	$(BIN)/python -m slotfree.study.record results slotfree.paper
	$(BIN)/python docs/paper/write.py results

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Writing the documentation needs less than working on the code.
.venv/docs: EXTRAS = cluster,docs
.venv/ready: EXTRAS = dev
.venv/docs .venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "slotfree needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -c constraints.txt -e '.[$(EXTRAS)]'
	touch $@

# The CPU build has a name of its own where packages are kept; elsewhere the plain build, of several gigabytes, is that.
.venv/torch: .venv/ready constraints-torch.txt
	$(PIP) -c constraints.txt -c constraints-torch.txt torch==$$(sed -n 's/^torch==//p' constraints-torch.txt)+cpu 2> /dev/null || \
	  $(PIP) -c constraints.txt -c constraints-torch.txt -e '.[torch]'
	touch $@

# Numba does not notice when a kernel in another file changes: forget what was compiled, and compile all on all cores.
.venv/kernels: $(wildcard src/slotfree/kernels/*/*.py src/slotfree/kernels/*.py)
	find src -name '*.nb[ic]' -delete
	$(BIN)/python -m slotfree.warm
	touch $@

clean:
	rm -rf .venv
