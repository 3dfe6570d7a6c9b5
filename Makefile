# make demo   a Telegram chat in the browser, on this machine, without any key
# make check  style, types, import contracts and unit tests: what to run after each change
# make test   every check of the project, but the longest tests
# make test-changed   those that a change concerns
# make bench-guard   what a turn costs, compared with the committed figures
# make newest   the newest dependencies, without the lock, and a part of the tests with them
# make release   the files of a release, in dist/; make image builds the image
# make soak   what takes longest: the longest tests, mutants of every requirement, and every pattern
# Workers of pytest: a test of the running bot waits for longer than it works.
WORKERS ?= 5
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
SYNC := UV_PROJECT_ENVIRONMENT=$(VENV) $(UV) sync --frozen --inexact
# Optional parts to install, such as EXTRAS="connectors otel"; those installed once are kept up to date.
EXTRAS ?=
INSTALLED_EXTRAS := $(shell cat $(VENV)/.extras 2>/dev/null)
ALL_EXTRAS := $(sort demo local $(EXTRAS) $(INSTALLED_EXTRAS))

# What was compiled once, tests too, is not compiled again by every process.
unexport PYTHONDONTWRITEBYTECODE

# Takes the libraries of the web chat from npm, as vendor/package-lock.json pins them. Needs Node.
vendor:
	cd vendor && npm ci --ignore-scripts --no-audit --no-fund && node bundle.mjs

.PHONY: vendor install ask dev clients demo check test test-changed compiled lint types contracts unit pytest soak \
	soak-changed bench-guard coverage real-servers release reproducible image newest docs site clean

# What runs, without the developers' tools.
install: $(VENV)/.installed

# All extras, and the developers' tools.
dev: $(VENV)/.installed-dev

$(UV): | $(BIN)/python
	@echo "  2/3 uv, which installs the rest"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "rich-agent needs Python 3.11 or newer. To choose one: make PYTHON=python3.12 …" >&2; exit 1; }
	@echo "installing into $(VENV); this is done once and takes a minute or two"
	@echo "  1/3 Python environment"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml uv.lock $(if $(filter-out $(INSTALLED_EXTRAS),$(EXTRAS)),ask) | $(UV)
	$(call install_packages,--no-dev $(addprefix --extra ,$(ALL_EXTRAS)))
	@echo "$(ALL_EXTRAS)" > $(VENV)/.extras
	@touch $@

$(VENV)/.installed-dev: pyproject.toml uv.lock | $(UV)
	$(call install_packages,--all-extras --compile-bytecode)
	@touch $(VENV)/.installed $@

define install_packages
@echo "  3/3 packages"
@{ $(SYNC) $(1) 2>&1 || echo failed; } | { bad=0; while IFS= read -r line; do case "$$line" in \
	" + "*|" - "*|" ~ "*) ;; failed) bad=1 ;; *) echo "      $$line" ;; esac; done; exit $$bad; }
endef

# Clients of others with which the tests talk to the bot; Node 20 and npm are needed.
clients: tests/clients/node_modules/.package-lock.json

tests/clients/node_modules/.package-lock.json: tests/clients/package-lock.json
	@npm ci --prefix tests/clients --no-audit --no-fund
	@touch $@

demo: install
	@$(BIN)/rich-agent demo $(if $(PORT),--port $(PORT)) $(DEMO_FLAGS)

check: dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target unit lint types contracts

# The modules of tests are compiled beside the type checker, once: each worker would do so for itself.
# The site is not built here, since a test builds it.
test: dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types compiled lint contracts
	@$(MAKE) --no-print-directory pytest

compiled: dev
	@$(BIN)/pytest --collect-only --quiet --quiet >/dev/null || true  # pytest itself says what is wrong

lint: dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: dev
	$(BIN)/mypy

contracts: dev
	$(BIN)/lint-imports

unit: dev
	$(BIN)/pytest tests/unit -n logical --dist worksteal -m "not soak" $(PYTEST_FLAGS)

pytest: dev
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not soak" $(PYTEST_FLAGS)

# What changed since SINCE; unset: since this branch left the main one, or since the last commit.
test-changed: dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types lint contracts
	$(CHANGED) -n $(WORKERS) --dist worksteal $(PYTEST_FLAGS)

CHANGED = $(BIN)/python -m tests.changed $(if $(SINCE),--since $(SINCE))

# Every pattern is tried, also those that are known to be linear. Each requirement is broken in a copy
# of the tree, one place at a time, and its tests have to fail.
soak: dev bench-guard
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m soak $(PYTEST_FLAGS)
	$(BIN)/python -m tests.growth
	$(BIN)/python -m tests.mutants $(MUTANTS)

# What a turn costs, compared with the committed figures. ACCEPT=1 commits those of this machine.
bench-guard: dev
	$(BIN)/python -m bench.guard $(if $(ACCEPT),--accept)

# The longest tests that a change concerns; none if there is no commit to compare with.
soak-changed: dev
	$(CHANGED) --soak -n $(WORKERS) --dist worksteal $(PYTEST_FLAGS)

# Each feature taken out of a copy of the program, and a package put in.
taken-out: dev
	$(BIN)/pytest -n 2 tests/acceptance/test_taken_out.py tests/acceptance/test_written_feature.py

coverage: dev
	$(BIN)/pytest -n 2 --dist worksteal -m "not soak" --cov --cov-report=term $(PYTEST_FLAGS)

# A llama.cpp server with random weights and with a small model, and LiteLLM's proxy: built once, for
# four minutes, and kept.
real-servers: dev
	$(BIN)/python -m bench.real_servers

# The files of a release, in dist/: wheels, source, SBOM, licences, hashes.
release: | $(UV)
	@UV=$(UV) deploy/release dist

# A release, built twice; the hashes have to be the same.
reproducible: | $(UV)
	@UV=$(UV) deploy/release dist
	@UV=$(UV) deploy/release dist/again >/dev/null
	@diff dist/SHA256SUMS dist/again/SHA256SUMS && rm -r dist/again && echo "two builds gave the same files"

# The image, for any BASE with Python; BUILDER is docker, podman or buildah.
BUILDER ?= docker
IMAGE ?= rich-agent
image:
	$(BUILDER) build $(if $(BASE),--build-arg BASE=$(BASE)) --tag $(IMAGE) $(BUILD_FLAGS) .

# The newest dependencies that an installation without the lock gets, and a part of the tests with them.
# Without connectors, since boto3 holds back what others get.
NEWEST := $(VENV)-newest
NEWEST_TESTS ?= tests/unit tests/contract tests/integration/test_embedded.py \
	tests/integration/test_ingest_sync.py tests/integration/test_telegram.py \
	tests/acceptance/test_conversation.py tests/acceptance/test_files.py tests/acceptance/features/reminder
# They need tools that would hold back more.
NOT_NEWEST := tests/unit/bench tests/unit/test_changed.py \
	tests/unit/features/calendars/test_icalendar_text.py tests/unit/features/connectors \
	tests/unit/upstreams/test_schema_engines.py
newest: | $(UV)
	@rm -rf $(NEWEST) && $(UV) venv --quiet --python $(BIN)/python $(NEWEST)
	@echo pydantic > $(NEWEST)/override.txt
	@$(UV) pip install --quiet --python $(NEWEST)/bin/python --no-sources --override $(NEWEST)/override.txt \
		--editable packages/rich-agent-sandbox --editable ".[calendar,demo,local,ocr,otel]" --group test
	@$(UV) pip freeze --python $(NEWEST)/bin/python
	$(NEWEST)/bin/python -m pytest $(NEWEST_TESTS) $(addprefix --ignore=,$(NOT_NEWEST)) -n $(WORKERS) \
		--dist worksteal -m "not soak and not browser" $(PYTEST_FLAGS)

docs: dev
	$(BIN)/python -m tests.docs.reference
	$(BIN)/python -m tests.docs.requirements

# The documentation as a site, in site/; a link that leads nowhere is an error.
site: dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) $(NEWEST) data dist site .coverage* .mypy_cache .ruff_cache .pytest_cache
