# Two commands set everything up on a machine with Python 3.11+, git and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# One worker more than cores: many tests wait, for a limit or for a process that starts.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
IN_PARALLEL := -n $(WORKERS) --dist worksteal

# Bytecode is written, as on most machines: without it, every process that a test starts compiles its modules anew.
unexport PYTHONDONTWRITEBYTECODE

# CONTRIBUTING.md says which tests are marked slow, and which run where.
FAST := -m "not slow"
PYTEST = $(BIN)/python -m pytest $(IN_PARALLEL)

.PHONY: checksums constraints demo docs test test-changed test-durations test-shuffled test-ci thorough compiled lint bench audit audit-sample unchanged clean

demo: $(VENV)/installed
	$(BIN)/mutascope run demo
	$(BIN)/mutascope figures exhaustive2003 --from results/demo

test: compiled
	$(PYTEST) $(FAST)

# The tests that execute code changed since their last run here; the first run executes all.
test-changed: compiled
	$(BIN)/python -m pytest $(FAST) --testmon --testmon-forceselect

test-durations: compiled
	$(PYTEST) $(FAST) --durations 30

# Ten runs in random orders beside four busy processes. No test may fail in any of them.
test-shuffled: compiled
	PYTEST="$(BIN)/python -m pytest" bash tests/support/shuffled_under_load.sh $(FAST)

# A sample of the slow tests, drawn by the hash of the commit.
test-ci: compiled
	$(PYTEST) -m slow --sample 12

# All tests, on all subjects, at all scopes: at most 40 minutes on two quiet cores.
thorough: compiled
	MUTASCOPE_EVERY_SUBJECT=1 $(PYTEST)

# The site, into build/site, with the pages that are made of the sources; a broken link ends it.
docs: $(VENV)/installed-docs
	$(BIN)/python -m benchmarks.reference commands > docs/commands.md
	$(BIN)/python -m benchmarks.reference api > docs/api.md
	$(BIN)/python -m benchmarks.operators_page > docs/operators.md
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Sandboxed processes write no bytecode: each of them would compile again what no other process imports.
compiled: $(VENV)/installed-dev
	@$(BIN)/python -m compileall -q harness

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m benchmarks.size

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.generation
	$(BIN)/python -m benchmarks.sequences
	$(BIN)/python -m benchmarks.execution
	$(BIN)/python -m benchmarks.matrix

audit: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.audit

# The numbers of the papers' tables, and a sample of suites and facts that changes with the commit.
unchanged: compiled
	$(BIN)/python -m benchmarks.unchanged --one-in 40

# One piece of each part at small scope, drawn by the hash of the commit.
audit-sample: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.audit --small --seed commit

# `make test CONSTRAINTS=constraints.txt` installs the versions of that file; default: the newest ones that fit.
CONSTRAINTS ?=
PIP_OPTIONS := --disable-pip-version-check --no-color --progress-bar off
PIP_INSTALL = $(BIN)/python -m pip install $(PIP_OPTIONS) $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))

# Write the checksums of all frozen results; docs/artifact.md says how to check them.
checksums:
	find results/frozen -type f -not -name '*.md' -not -path results/frozen/SHA256SUMS | LC_ALL=C sort \
	    | xargs sha256sum > results/frozen/SHA256SUMS

# Write constraints.txt: the versions in an environment that has nothing else.
constraints:
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install $(PIP_OPTIONS) --quiet '.[dev,docs]'
	echo "# Written by 'make constraints': exact versions of all packages of mutascope[dev,docs], on Python" \
	    "$$(build/constraints/bin/python -c 'import platform; print(platform.python_version())')." > constraints.txt
	build/constraints/bin/python -m pip freeze --exclude mutascope >> constraints.txt

$(VENV)/installed: pyproject.toml $(CONSTRAINTS)
	@echo "Making a virtual environment in $(VENV) (a few seconds) ..."
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing Mutascope and the packages that it needs into $(VENV) (up to two minutes, once) ..."
	@$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml $(CONSTRAINTS) $(VENV)/installed
	@echo "Installing the packages that the tests need into $(VENV) (up to two minutes, once) ..."
	@$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

$(VENV)/installed-docs: pyproject.toml $(CONSTRAINTS) $(VENV)/installed
	@echo "Installing the packages that the site needs into $(VENV) ..."
	@$(PIP_INSTALL) --editable '.[docs]'
	@touch $@

clean:
	rm -rf $(VENV) build dist results/demo
