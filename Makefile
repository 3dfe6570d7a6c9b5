# make demo   a Telegram chat in the browser, on this machine, without any key
# make check  style, types, import contracts and unit tests: what to run after each change
# make test   every check of the project, but the longest tests
# make test-changed   those that a change concerns
# make bench-guard   what a turn costs, compared with the committed figures
# make soak   what takes longest: the longest tests, mutants of every requirement, and every pattern
PORT ?= 8080
# Workers of pytest: a test of the running bot waits for longer than it works.
WORKERS ?= 5
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
SYNC := UV_PROJECT_ENVIRONMENT=$(VENV) $(UV) sync --frozen --inexact

# What was compiled once, tests too, is not compiled again by every process.
unexport PYTHONDONTWRITEBYTECODE

# Takes the libraries of the web chat from npm, as vendor/package-lock.json pins them. Needs Node.
vendor:
	cd vendor && npm ci --ignore-scripts --no-audit --no-fund && node bundle.mjs

.PHONY: vendor install clients demo check test test-changed compiled lint types contracts unit pytest soak \
	soak-changed bench-guard coverage real-servers docs site clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "rich-agent needs Python 3.11 or newer. To choose one: make PYTHON=python3.12 …" >&2; exit 1; }
	@echo "installing into $(VENV); this is done once and takes a minute or two"
	@test -x $(BIN)/python || { echo "  1/4 Python environment"; $(PYTHON) -m venv $(VENV); }
	@test -x $(UV) || { echo "  2/4 uv, which installs the rest"; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check uv; }
	@echo "  3/4 packages"
	@{ $(SYNC) 2>&1 || echo failed; } | { bad=0; while IFS= read -r line; do case "$$line" in \
		" + "*|" - "*|" ~ "*) ;; failed) bad=1 ;; *) echo "      $$line" ;; esac; done; exit $$bad; }
	@echo "  4/4 compiling the packages for fast starts"
	@$(SYNC) --quiet --compile-bytecode
	@touch $@

# Clients of others with which the tests talk to the bot; Node 20 and npm are needed.
clients: tests/clients/node_modules/.package-lock.json

tests/clients/node_modules/.package-lock.json: tests/clients/package-lock.json
	@npm ci --prefix tests/clients --no-audit --no-fund
	@touch $@

demo: install
	@$(BIN)/rich-agent demo --port $(PORT) $(DEMO_FLAGS)

check: install
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target unit lint types contracts

# The modules of tests are compiled beside the type checker, once: each worker would do so for itself.
# The site is not built here, since a test builds it.
test: install
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types compiled lint contracts
	@$(MAKE) --no-print-directory pytest

compiled: install
	@$(BIN)/pytest --collect-only --quiet --quiet >/dev/null || true  # pytest itself says what is wrong

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: install
	$(BIN)/mypy

contracts: install
	$(BIN)/lint-imports

unit: install
	$(BIN)/pytest tests/unit -n logical --dist worksteal -m "not soak" $(PYTEST_FLAGS)

pytest: install
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not soak" $(PYTEST_FLAGS)

# What changed since SINCE; unset: since this branch left the main one, or since the last commit.
test-changed: install
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types lint contracts
	$(CHANGED) -n $(WORKERS) --dist worksteal $(PYTEST_FLAGS)

CHANGED = $(BIN)/python -m tests.changed $(if $(SINCE),--since $(SINCE))

# Every pattern is tried, also those that are known to be linear. Each requirement is broken in a copy
# of the tree, one place at a time, and its tests have to fail.
soak: install bench-guard
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m soak $(PYTEST_FLAGS)
	$(BIN)/python -m tests.growth
	$(BIN)/python -m tests.mutants $(MUTANTS)

# What a turn costs, compared with the committed figures. ACCEPT=1 commits those of this machine.
bench-guard: install
	$(BIN)/python -m bench.guard $(if $(ACCEPT),--accept)

# The longest tests that a change concerns; none if there is no commit to compare with.
soak-changed: install
	$(CHANGED) --soak -n $(WORKERS) --dist worksteal $(PYTEST_FLAGS)

# Each feature taken out of a copy of the program, and a package put in.
taken-out: install
	$(BIN)/pytest -n 2 tests/acceptance/test_taken_out.py tests/acceptance/test_written_feature.py

coverage: install
	$(BIN)/pytest -n 2 --dist worksteal -m "not soak" --cov --cov-report=term $(PYTEST_FLAGS)

# A llama.cpp server with random weights and with a small model, and LiteLLM's proxy: built once, for
# four minutes, and kept.
real-servers: install
	$(BIN)/python -m bench.real_servers

docs: install
	$(BIN)/python -m tests.docs.reference
	$(BIN)/python -m tests.docs.requirements

# The documentation as a site, in site/; a link that leads nowhere is an error.
site: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) data site .coverage* .mypy_cache .ruff_cache .pytest_cache
