# Everything runs in .venv, which is made from the lock files: exact versions, checked hashes.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test check docs docs-pictures docs-measured web bench torture torture-quick sanitize lock clean

PYTHON ?= python3
BIN := .venv/bin
# Nothing is left to be found out: the lock files name every package.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
COMPILED := $(BIN)/python -c 'import sys, stressfield._compiled as c; sys.exit(bool(c.missing()))'
# Images for containers like to set it. Then every process would compile all that it imports, and tests start thousands.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/' | expand -t 20

demo: .venv/runtime ## run a small campaign of crop fields and write its report
	@rm -rf runs/demo
	@code=0; $(BIN)/stressfield run oz --worlds 12 --repeats 3 --seed 7 --build release --profile published --out runs/demo || code=$$?; \
	if [ $$code -gt 1 ]; then exit $$code; fi
	@test -s runs/demo/report.html || { echo "The demo wrote no runs/demo/report.html." >&2; exit 1; }
	@echo "Report: $(CURDIR)/runs/demo/report.html"

# A worker more than CI has processors: some tests wait, for servers, browsers and processes that they begin.
test: .venv/dev ## run the tests (installs Debian packages they use, if it can)
	@scripts/apt-packages
	@scripts/npm-packages
	@$(COMPILED) || $(INSTALL) --no-build-isolation -e . # there may be a compiler only now
	@$(BIN)/python -m pytest -n 3 --dist worksteal

# The documentation is built by its tests (tests/docs), which look at more than its warnings.
check: .venv/dev ## lint, format, types, layers, locks
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@scripts/lock --check
	@$(BIN)/mypy

docs: .venv/dev ## write the pages made from the code, and the site in build/site
	@$(BIN)/python scripts/cli_reference.py
	@$(BIN)/python scripts/http_reference.py
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs --quiet build
	@echo "Documentation: $(CURDIR)/build/site/index.html"

docs-pictures: .venv/dev ## run small campaigns of all studies and take the pictures of their pages again (needs Chromium, Node.js)
	@scripts/apt-packages
	@scripts/npm-packages
	@$(BIN)/python scripts/screenshots.py

docs-measured: .venv/dev ## run what the numbers of the documentation come from (hours; STUDY=oz: one study) and write them
	@$(BIN)/python scripts/measured.py $(STUDY)

web: ## check and bundle the pages of the server and the player of the report (needs Node.js)
	@scripts/npm-packages
	@cd web && npx tsc --noEmit && node build.mjs

bench: .venv/dev ## measure speed and memory (long; STUDY=oz: one of benchmarks/bench_*.py)
	@files=(benchmarks/bench_$(or $(STUDY),*).py); \
	[ -e "$${files[0]}" ] || { echo "There is no benchmark '$(STUDY)'. There are:" benchmarks/bench_*.py >&2; exit 2; }; \
	for file in "$${files[@]}"; do $(BIN)/python "$$file"; done

torture: .venv/dev ## hurt the rig in every way it must survive (an hour) and write docs/reliability.md
	@scripts/apt-packages
	@scripts/npm-packages
	@$(BIN)/python benchmarks/torture --document

torture-quick: .venv/dev ## the same in small sizes (minutes)
	@scripts/apt-packages
	@scripts/npm-packages
	@$(BIN)/python benchmarks/torture --quick

sanitize: .venv/dev ## run the tests of what is written in C with gcc's sanitizers (a minute)
	@scripts/sanitize

lock: .venv/bin/python ## write the lock files anew
	@scripts/lock

clean: ## remove .venv, caches, builds and the demo's runs
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist runs/demo
	@find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +
	@find src -name '*.so' -delete

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "stressfield needs Python 3.11 or newer, got $$($(PYTHON) --version). Try: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/runtime: requirements.lock pyproject.toml hatch_build.py $(wildcard src/stressfield/*/*.c) | .venv/bin/python
	@echo "Installing into .venv ..."
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-build-isolation -e .
	@$(COMPILED) || echo "What is written in C was not compiled (that takes a C compiler and the headers of Python): runs take longer, with the same results."
	@echo "Compiling the simulator ..."
	@$(BIN)/python -c 'from stressfield.sim.kinematic import warm_up; warm_up()'
	@touch $@

.venv/dev: requirements-dev.lock .venv/runtime
	@$(INSTALL) --no-compile --require-hashes -r requirements-dev.lock # what tests import is compiled when they do
	@touch $@
