# make demo   a Telegram chat in the browser, on this machine, without any key
# make test   every check of the project
PORT ?= 8080
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv

.PHONY: install demo test lint types contracts pytest retest coverage docs requirements clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "rich-agent needs Python 3.11 or newer; say which with make PYTHON=python3.12 …" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(UV) || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@UV_PROJECT_ENVIRONMENT=$(VENV) $(UV) sync --quiet --frozen --inexact --compile-bytecode
	@touch $@

demo: install
	@$(BIN)/rich-agent demo --port $(PORT) $(DEMO_FLAGS)

test: install lint types contracts pytest

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: install
	$(BIN)/mypy

contracts: install
	$(BIN)/lint-imports

pytest: install
	$(BIN)/pytest -n 4 --dist worksteal $(PYTEST_FLAGS)

# What failed in the last run once more, one test at a time.
retest: install
	$(BIN)/pytest --last-failed --last-failed-no-failures none

coverage: install
	$(BIN)/pytest -n 2 --dist worksteal --cov --cov-report=term $(PYTEST_FLAGS)

docs: install
	$(BIN)/python -m tests.docs.reference

requirements: install
	@$(BIN)/python -m tests.docs.requirements

clean:
	rm -rf $(VENV) data .coverage* .mypy_cache .ruff_cache .pytest_cache
