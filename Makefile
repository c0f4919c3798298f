# Everything a developer does, from a bare checkout. Needs Python 3.11 or newer, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help demo test lint unit corpus bench models setup clean

help: ## Say what there is to make
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup: $(READY) ## Make the virtual environment .venv with everything in it

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Rejoin needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[spark,dev]'
	@touch $(READY)

demo: $(READY) ## Verify the corpus with the reference, then fuzz 20,000 histories of each system
	$(BIN)/rejoin verify
	$(BIN)/rejoin fuzz --histories 20000

test: lint corpus unit ## Everything that must hold: style, types, corpus, trace, tests

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

corpus: $(READY)
	$(BIN)/rejoin vectors generate --check
	$(BIN)/rejoin vectors check
	$(BIN)/rejoin verify
	$(BIN)/rejoin trace > $(VENV)/trace.txt || { grep FAULT $(VENV)/trace.txt; exit 1; }

unit: $(READY)
	$(BIN)/python -m pytest

bench: $(READY) ## Print the benchmarks, as ratios of things run side by side
	$(BIN)/python conformance/benchmarks/run.py

models: $(READY) ## Let TLC check every configuration of the formal models, and write the table of docs/
	$(BIN)/rejoin model check --all --workers 2 --memory 4096 --table docs/models-checked.md

clean: ## Remove what make has made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
