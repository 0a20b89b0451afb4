# empty: the system's own, see scripts/setup.sh
PYTHON ?=
# what scripts/setup.sh sets up for setup, lint, docs and coverage; venv: no Debian packages
SETUP ?= base
PRESET ?= default
JOBS ?= 2
# tests that start applications wait for them most of the time
SLOW_JOBS ?= 3
SEED ?= 1
HOURS ?= 2
KILLS ?= 50
BIN := .venv/bin
STARTS := services or browser or policy or e2e or desktop or office or gyms
APART := docker or qemu or osworld_parity or ecosystem

.PHONY: help setup setup-desktop demo test test-fast coverage test-kills docs test-docker test-docker-escapes test-qemu test-qemu-escapes test-cluster test-osworld-parity test-ecosystem osworld-tasks officeworld-tasks lint ci check bench faults soak contract clean

help: ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

setup: ## Debian packages and virtual environments; a second call takes seconds
	@PYTHON=$(PYTHON) scripts/setup.sh $(SETUP)

setup-desktop: ## the same, and what desktops on this machine need: bubblewrap, LibreOffice, ...
	@PYTHON=$(PYTHON) scripts/setup.sh desktop

demo: setup ## train a policy on a real browser, end to end (PRESET=smoke: six minutes)
	@$(BIN)/deskhand demo --preset $(PRESET)

# Python's own tracebacks: pytest's parse the source, which Python 3.11 can fail at in deep stacks; then the whole run ends.
test: ## set up, then run all tests, JOBS at a time: fast ones first; one that fails is tried again, once if it is fast, else twice, and is named
	@PYTHON=$(PYTHON) scripts/setup.sh test
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --maxfail 20 --reruns 1 --tb native -r fER -m "not ($(STARTS) or $(APART))"
	@$(BIN)/python -m pytest -n $(SLOW_JOBS) --dist worksteal --reruns 2 --tb native -r fER --durations 25 -m "($(STARTS)) and not ($(APART))"

test-fast: setup ## only the tests that start no application: a few minutes
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not ($(STARTS) or $(APART))"

coverage: setup ## the fast tests, with the lines and branches they reach: terminal and htmlcov/index.html
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not ($(STARTS) or $(APART))" --cov --cov-report term:skip-covered --cov-report html

docs: setup ## the documentation site, in site/; a warning is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet && echo site/index.html

test-kills: setup ## kill -9 of a training run KILLS=50 times at random moments, and an account of every episode
	@KILLS=$(KILLS) $(BIN)/python -m pytest --timeout 3600 tests/trainer/pipeline/test_recovery.py

test-docker: ## build the images, start the compose stack, solve a task on each kind of box
	@PYTHON=$(PYTHON) scripts/setup.sh docker
	@$(BIN)/python -m pytest --durations 15 --timeout 1800 -m docker tests/docker $(addprefix --ignore tests/docker/test_,escape.py escape_attempts.py)

test-docker-escapes: ## what a program in a container might try, each on a weak container first
	@PYTHON=$(PYTHON) scripts/setup.sh docker
	@$(BIN)/python -m pytest --timeout 1800 -m docker $(addprefix tests/docker/test_,escape.py escape_attempts.py)

test-qemu: ## build a disk image, boot it, use it, reset it
	@PYTHON=$(PYTHON) scripts/setup.sh qemu
	@$(BIN)/python -m pytest --timeout 1200 -m qemu tests/qemu --ignore tests/qemu/test_escape.py

test-qemu-escapes: ## what a program in a virtual machine might try, each on a weak machine first
	@PYTHON=$(PYTHON) scripts/setup.sh qemu
	@$(BIN)/python -m pytest --timeout 1200 -m qemu tests/qemu/test_escape.py

test-cluster: ## the training loop with every part on a machine of its own (namespaces, as root), machines taken away in mid-run; about eight minutes
	@PYTHON=$(PYTHON) scripts/setup.sh test
	@$(BIN)/deskhand bench cluster --json bench/cluster.json --logs bench/cluster_logs

test-osworld-parity: ## our OSWorld metrics against those of desktop-env, on files made for the purpose; its environment on our boxes; Inspect reads our logs
	@PYTHON=$(PYTHON) scripts/setup.sh osworld
	@$(BIN)/python -m pytest -m osworld_parity tests/osworld tests/agent_server/evaluation

test-ecosystem: ## the web gyms as environments of TRL, BrowserGym, OpenEnv and verifiers, adapters in peft, exports in datasets and TRL, with their own packages
	@PYTHON=$(PYTHON) scripts/setup.sh ecosystem
	@.venv-ecosystem/bin/python -m pytest --timeout 600 --durations 10 -m ecosystem $(addprefix tests/agent_server/adapters/test_,trl_env.py browsergym_tasks.py openenv_server.py)
	@.venv-ecosystem/bin/python -m pytest --timeout 600 -m ecosystem tests/trainer/test_lora.py tests/agent_server/evaluation/export/test_with_datasets.py
	@.venv-verifiers/bin/python -m pytest --timeout 600 -m ecosystem tests/agent_server/adapters/test_verifiers_taskset.py

osworld-tasks: setup-desktop ## OSWorld tasks solved for real, without a download and with files made here: OSWORLD=folder of its task files
	@$(BIN)/python scripts/osworld_inputs.py $(OSWORLD) tasksets/solutions/osworld_made.json runs/osworld-inputs
	@for set in osworld osworld_made; do \
		DESKHAND_ASSETS=runs/osworld-inputs $(BIN)/deskhand eval --tasks $(OSWORLD) --set tasksets/solutions/$$set.json --policy oracle --controls --name $$set-tasks && \
		$(BIN)/deskhand eval export runs/$$set-tasks --format jsonl --to runs/$$set-tasks/jsonl && \
		$(BIN)/python scripts/osworld_tasks.py runs/$$set-tasks runs/$$set-tasks/jsonl docs/results/$${set}_tasks.json || exit 1; \
	done

officeworld-tasks: setup-desktop ## OfficeWorld tasks solved for real, with files made here: OFFICEWORLD=folder of its task files
	@$(BIN)/python scripts/osworld_inputs.py $(OFFICEWORLD) tasksets/solutions/officeworld_made.json runs/officeworld-inputs
	@DESKHAND_ASSETS=runs/officeworld-inputs $(BIN)/deskhand eval --tasks $(OFFICEWORLD) --set tasksets/solutions/officeworld_made.json --policy oracle --controls --name officeworld-tasks
	@$(BIN)/deskhand eval export runs/officeworld-tasks --format jsonl --to runs/officeworld-tasks/jsonl
	@$(BIN)/python scripts/osworld_tasks.py runs/officeworld-tasks runs/officeworld-tasks/jsonl docs/results/officeworld_made_tasks.json

lint: setup ## ruff, mypy, the import contracts and the shape of the code
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports
	@$(BIN)/python scripts/house_lint.py

# An hour on two slow cores is the bound; escapes and the disk image are left to check.
ci: ## what CI runs (.ci/run): static checks and documentation side by side, all tests, containers
	@PYTHON=$(PYTHON) scripts/setup.sh ci
	@scripts/docker_engine.sh check
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line lint docs
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-docker

check: export DESKHAND_TEST_ALL = 1
check: ci test-docker-escapes test-qemu test-qemu-escapes test-osworld-parity ## the same with nothing left out, and what needs published packages beside ours

bench: setup-desktop ## every benchmark, from a clean commit: docs/results/bench/*.json and the tables of docs/figures.md
	@$(BIN)/deskhand bench all

faults: setup-desktop ## a thousand faults on the real system (SEED=1), and what became of every episode
	@$(BIN)/deskhand bench faults --seed $(SEED) --json bench/faults.json

soak: setup ## does anything grow in HOURS=2 of steady load
	@$(BIN)/deskhand bench soak --hours $(HOURS) --json bench/soak.json

contract: setup ## schemathesis, all checks on all routes of the API
	@$(BIN)/deskhand bench contract --json bench/contract.json

clean: ## remove environments and caches, keep runs/
	rm -rf .venv .venv-vllm .venv-osworld .venv-inspect .venv-ecosystem .venv-verifiers .setup .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov site
