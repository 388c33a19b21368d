# Everything happens in .venv, which the first target that needs it creates.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Twice quiet: errors are shown, warnings about the configuration of pip are not.
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
# Without bytecode, which takes more than a minute; Python compiles what is imported.
INSTALL := $(PIP) install --no-compile --constraint constraints.txt --editable
# More workers than cores, because some of them wait for a browser or a server.
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest --workers $(WORKERS)
POSTGRESQL := $(VENV)/postgresql.log
TYPES := $(VENV)/types.log
# Tests that need no server, browser, model or process of their own.
QUICK := tests/text tests/corpus tests/metrics/lexical tests/judgements tests/analysis \
	tests/test_records.py tests/test_errors.py tests/test_registry.py tests/runtime/test_files.py \
	tests/test_architecture.py

# Python may keep its bytecode, whatever the shell says: the tests start many processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo check test tests postgresql types-beside test-long serve bench lint style types \
	models docs messages clean

help:
	@echo "make demo    install, score and study the bundled sample, and write the report"
	@echo "make check   lint, types, import contract and the quick tests"
	@echo "make test    install what the tests need, then lint, types, import contract and tests"
	@echo "make test-long   like make test, with many more examples of every property"
	@echo "make serve   start the platform for evaluation campaigns"
	@echo "make bench   measure every performance claim against its peer"
	@echo "make lint    only ruff, mypy and the import contract"
	@echo "make messages   refresh the translations of the annotators' interface"
	@echo "make docs    write the reference pages and build the documentation into site/"

demo: $(VENV)/core
	$(BIN)/gistmark models get embedded
	$(BIN)/gistmark demo --output gistmark-demo

check: lint
	$(PYTEST) --quiet -m "not slow" $(QUICK)

# Types and the tests on PostgreSQL are checked beside the other tests, in processor time that these leave
# idle; the output of both is printed last.
test: $(VENV)/dev
	$(MAKE) --jobs 2 --output-sync style models
	$(MAKE) --jobs 3 --keep-going tests postgresql types-beside; status=$$?; \
		cat $(TYPES) $(POSTGRESQL); exit $$status

tests: $(VENV)/dev
	$(PYTEST) $(TESTS)

postgresql: $(VENV)/dev
	$(BIN)/python tests/web/on_postgresql.py > $(POSTGRESQL) 2>&1

types-beside: $(VENV)/dev
	$(MAKE) types > $(TYPES) 2>&1

test-long: export GISTMARK_EXAMPLES := many
test-long: test

serve: $(VENV)/web
	$(BIN)/gistmark serve

bench: $(VENV)/dev
	$(BIN)/gistmark models get embedded
	cd benchmarks && for claim in rouge hrouge sharing memory alpha competence resampling mixed_model accuracy power \
		interval_coverage presence savings wmd mover_score blanc blanc_tune shannon \
		bertscore summarizers submissions truth; do \
		../$(BIN)/python $$claim.py || exit 1; \
	done

lint: style types

style: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

models: $(VENV)/dev
	$(BIN)/gistmark models get embedded

docs: $(VENV)/dev
	$(BIN)/python docs/reference.py
	$(BIN)/mkdocs build --strict --quiet

messages: $(VENV)/dev
	$(BIN)/python docs/messages.py

clean:
	rm -rf $(VENV) site build dist gistmark-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[neural]'
	touch $@

$(VENV)/web: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[web]'
	touch $@

$(VENV)/dev: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[all,dev]'
	touch $@ $(VENV)/core $(VENV)/web
