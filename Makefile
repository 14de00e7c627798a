# make run    the dashboard, on http://localhost:8501
# make test   lint, types and every test
# make withstand    random campaigns: hostile input, damaged files, killed processes
# All make the virtual environment they need.

PYTHON ?= python3
VENV   ?= .venv
PORT   ?= 8501
ADDRESS ?= localhost
BIN    := $(VENV)/bin

.PHONY: run test check bench withstand clean

run: $(VENV)/.run
	$(BIN)/python -m components serve --port $(PORT) --address $(ADDRESS)

test: check
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

withstand: $(VENV)/.test
	$(BIN)/python -m tests.campaign

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

$(VENV)/.test: requirements.txt requirements-extra.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache
