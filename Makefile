# A fresh machine needs Python 3.11 and make; everything else is made here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS ?= dev
# Only a USER given to make counts: the shell has one of its own.
USER_ID := $(if $(filter command%,$(origin USER)),$(USER),local-user)

# Installing again is needed only when what is to be installed has changed.
STAMP := $(VENV)/.installed-$(EXTRAS)

.PHONY: install models demo chat dev test campaign lint format clean
.DEFAULT_GOAL := help

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Python 3.11 or newer is needed, {sys.executable} is {v.major}.{v.minor}; try make PYTHON=python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRAS)]' -c constraints.txt
	@touch $@

install: $(STAMP)  ## the environment in .venv

models: install  ## fetch the weights of the local models (about 120 MB, once)
	@$(BIN)/python -m graph models fetch

demo: install  ## two users, several sessions, explained turn by turn; no key needed
	@$(BIN)/python -m graph demo

chat: install  ## talk to it: make chat USER=ana
	@$(BIN)/python -m graph chat --user "$(USER_ID)"

dev: install  ## the graph in LangGraph Studio
	@$(BIN)/langgraph dev

test: install models  ## the tests (at most about eight minutes)
	@$(BIN)/python -m pytest -m 'not campaign'

campaign: install models  ## the longer campaigns
	@$(BIN)/python -m pytest -m campaign

lint: install  ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install  ## put the code in shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove the environment and what tools left
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info

.PHONY: constraints
constraints: install  ## write the versions in .venv to constraints.txt
	@echo '# The versions that this is tested with: pip install -c constraints.txt. Written by make constraints.' > constraints.txt
	@$(BIN)/python -m pip freeze --exclude-editable | grep -E '^[A-Za-z0-9_.-]+==' >> constraints.txt
