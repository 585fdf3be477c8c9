# Two commands set everything up on a machine with Python 3.11+, git and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# One worker more than cores: many tests wait, for a limit or for a process that starts.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
IN_PARALLEL := -n $(WORKERS) --dist worksteal

# Bytecode is written, as on most machines: without it, every process that a test starts compiles its modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test slow thorough lint bench audit clean

demo: $(VENV)/installed
	$(BIN)/mutascope run demo
	$(BIN)/mutascope figures exhaustive2003 --from results/demo

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(IN_PARALLEL) -m "not slow"

slow: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(IN_PARALLEL) -m "slow and not thorough"

thorough: $(VENV)/installed-dev
	MUTASCOPE_EVERY_SUBJECT=1 $(BIN)/python -m pytest $(IN_PARALLEL) -m slow

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.spine
	$(BIN)/python -m benchmarks.generation
	$(BIN)/python -m benchmarks.interpreted
	$(BIN)/python -m benchmarks.sequences
	$(BIN)/python -m benchmarks.execution
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.matrix
	$(BIN)/python -m benchmarks.experiment

audit: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.audit

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: pyproject.toml $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist results/demo
