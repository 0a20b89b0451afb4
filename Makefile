PYTHON ?= python3.11
PRESET ?= default
BIN := .venv/bin

.PHONY: help setup demo test lint check bench clean

help: ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## Debian packages and virtual environments; a second call takes seconds
	@PYTHON=$(PYTHON) scripts/setup.sh base

demo: setup ## train a policy on a real browser, end to end (PRESET=smoke: five minutes)
	@$(BIN)/deskhand demo --preset $(PRESET)

test: ## set up, then run all tests, fast ones first
	@PYTHON=$(PYTHON) scripts/setup.sh test
	@$(BIN)/python -m pytest

lint: setup ## ruff, mypy and the import contracts
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

check: lint test ## all that CI asks

bench: setup ## every figure of the README, written to bench/*.json
	@mkdir -p bench
	@for part in browser policy learner; do $(BIN)/deskhand bench $$part --json bench/$$part.json; done

clean: ## remove environments and caches, keep runs/
	rm -rf .venv .venv-vllm .setup .mypy_cache .ruff_cache .pytest_cache .hypothesis
