# make test    lint, then the first tier of the tests (make check is the same); what CI runs; meant for five minutes on two cores
# make test-all  lint, then every test; nightly, and before a release
# make lint    ruff, mypy, the import law
# make report  the standard verification, then its report in out/
# make docs    the documentation site, in docs/_build/html; it opens offline
# make soak    the error level on 1,000 cells and fifty kills of a running verification; many minutes
# make kernels the engine, a verification and its replay under every BLAS kernel that this processor can run; many minutes
# make bench   what the engine reaches, as ratios within one run; some minutes, on a machine with nothing else to do
# make device  the engine on a CUDA device, or with DEVICE=cpu on the processor: agreement, laws, transfers, speed
# make mutants every planted defect: which are false, and which check catches them; some minutes
# make falsify-long  every attempt to break a statement, 10 or 1 minutes each, with rows kept in out/; hours
# make clean   removes everything that the other targets made
#
# Needs a Python >= 3.11 with venv and pip; the first call makes .venv. Another interpreter: make PYTHON=python3.12 test

PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := test
.PHONY: test test-all check lint report docs soak kernels bench device mutants falsify-long clean FORCE

# One process per core and one thread each: many small matrices are slower with more.
test test-all soak mutants falsify-long: export OPENBLAS_NUM_THREADS = 1
test test-all soak mutants falsify-long: export OMP_NUM_THREADS = 1
# The same for processes that compile every source again with bytecode switched off; tests/conftest.py does it for tests.
soak mutants falsify-long: export PYTHONDONTWRITEBYTECODE =
test-all: export EVERY_EXAMPLE = 1
# tests/conftest.py has the rule of the two tiers. A file stays in one process, so that what its tests share is made once.
test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow"

test-all: lint
	$(BIN)/python -m pytest -n auto

check: test

lint: .venv/.installed
	$(BIN)/python -m ruff check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

# A violated cell is a result to be reported, not a failed build: hence --exit-zero.
report: .venv/.installed
	$(BIN)/fedbounds verify --out out --exit-zero --workers 2 && $(BIN)/fedbounds report out --workers 2

# A warning fails the build: a link that leads nowhere is a defect of a page.
docs: .venv/.installed
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[docs,tables]'
	rm -rf docs/_build && $(BIN)/python -m reports.site docs docs/_build/source
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs/_build/source docs/_build/html

soak: .venv/.installed
	$(BIN)/python benchmarks/soak.py

kernels: .venv/.installed
	$(BIN)/python benchmarks/kernels.py

# Without what the engine is compared with, its own rows still say something.
bench: .venv/.installed
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[bench]' || true
	$(BIN)/python benchmarks/engine.py

DEVICE ?= cuda

device: .venv/.installed
	$(BIN)/python benchmarks/device.py --device $(DEVICE) --write

mutants: .venv/.installed
	$(BIN)/python benchmarks/mutants.py --workers 2

falsify-long: .venv/.installed
	mkdir -p out && { test -e out/falsify.jsonl || cp benchmarks/falsify.jsonl out/; }
	$(BIN)/fedbounds falsify --study benchmarks/falsify.toml --workers 2 --out out

# The stamp is a copy of all that decides what .venv holds: this folder (scripts in .venv name it), pyproject.toml and
# constraints.txt. Contents are compared, not times, so touching a file installs nothing and a checkout that
# changes one always does. torch goes first, by its pin: see constraints.txt.
WANTED = { printf '%s\n' '$(CURDIR)'; cat pyproject.toml constraints.txt; }

.venv/.installed: FORCE
	@if $(WANTED) | cmp -s - $@ && $(BIN)/python -c ''; then exit 0; fi; \
	$(PYTHON) -c '' 2>/dev/null || \
	    { echo 'fedbounds needs Python 3.11 or newer, but "$(PYTHON)" does not run; name another one: make PYTHON=...' >&2; exit 1; }; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "fedbounds needs Python 3.11 or newer, but \"$(PYTHON)\" is $$($(PYTHON) -V 2>&1); name another one: make PYTHON=..." >&2; exit 1; }; \
	$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	    { echo 'fedbounds needs the modules venv and ensurepip, which "$(PYTHON)" lacks (on Debian: the package python3-venv).' >&2; exit 1; }; \
	if [ -e $@ ] && [ "$$(head -n 1 $@)" != '$(CURDIR)' ] || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then clear=--clear; else clear=; fi; \
	rm -f $@ && set -x && \
	$(PYTHON) -m venv $$clear .venv && \
	$(BIN)/python -m pip install --quiet -c constraints.txt torch && \
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[cluster,data,fast,privacy,tables,tight,test]' && \
	{ set +x; } 2>/dev/null && $(WANTED) > $@.new && mv $@.new $@

clean:
	rm -rf .venv out dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf docs/_build
	find bounds synthetic verify reports tests -name __pycache__ -type d -prune -exec rm -rf {} +
