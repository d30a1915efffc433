# Everything a newcomer types. Needs Python 3.11 or newer (PYTHON=python3.13 chooses one), git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BOARD ?= desk

# What the host tests start, with the Debian package each comes from.
HOST_TOOLS := chromium=chromium aplay=alsa-utils systemd-analyze=systemd

# The stamp carries Python's version, so another PYTHON makes another environment.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
READY := $(VENV)/.ready-$(VERSION)
CATALOGUES := $(VENV)/.catalogues

.NOTPARALLEL:
.PHONY: help run test test-host rig rig-smoke crash missing-packages texts card pictures lock clean

help:
	@echo 'make run        the service on the desk board; its page is at the address it prints'
	@echo 'make test       linters, types and all tests that need nothing but Python'
	@echo 'make test-host  the tests that need Debian packages: a browser, ALSA, systemd tools'
	@echo 'make rig        all checks of the virtual board: an hour or more (N=0.1 for less, WRITE=1 for its table)'
	@echo 'make rig-smoke  one boot and one match of it'
	@echo 'make texts      compile the catalogues of the languages (run and test do so by themselves)'
	@echo 'make card       the card that hangs beside the box, A5, one a language, into build/card'
	@echo 'make pictures   every screen into build/pictures, and the picture of the desk board (needs chromium)'
	@echo 'make crash      kills the service and tears its card, and prints what was lost; about ten minutes'
	@echo 'make lock       write the two lock files anew from pyproject.toml (needs uv and a network)'
	@echo 'make clean      remove the environment and what tools have left'

run: $(READY) $(CATALOGUES)
	@exec $(BIN)/kaderuhr run --board $(BOARD)

test: $(READY) $(CATALOGUES)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --quiet --cov
	@echo 'not run: make test-host (what needs a browser, ALSA or systemd tools), and the tests marked bench or rig'

test-host: $(READY) $(CATALOGUES)
	@missing=; \
	for tool in $(HOST_TOOLS); do \
		command -v "$${tool%%=*}" >/dev/null || { \
			missing=1; \
			echo "make test-host needs $${tool%%=*}, which is not here: apt install $${tool##*=}" >&2; \
		}; \
	done; \
	test -z "$$missing"
	$(BIN)/pytest --quiet -m host
	@echo 'not run: make test, make rig-smoke and make rig (the virtual board), and the tests marked bench'

# What a cut of the power leaves of a match; about ten minutes, needs strace.
crash: $(READY) $(CATALOGUES)
	$(BIN)/python -m tests.crash

# The virtual board: Debian's kernel in QEMU, as root; what it needs it installs itself (tests/rig/README.md).
rig: $(READY) $(CATALOGUES)
	$(BIN)/python -m tests.rig all $(if $(N),-n $(N)) $(if $(WRITE),--write)

# Exit 3 is no failure: it was not run, and has said why.
rig-smoke: $(READY) $(CATALOGUES)
	@$(BIN)/python -m tests.rig smoke || test $$? -eq 3

# The packages whose tools are not here yet, for .ci/run.
missing-packages:
	@for tool in $(HOST_TOOLS); do command -v "$${tool%%=*}" >/dev/null || echo "$${tool##*=}"; done

$(READY): pyproject.toml hatch_build.py requirements-dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'Kaderuhr needs Python 3.11 or newer, and "$(PYTHON)" is $(or $(VERSION),not there): make PYTHON=python3.11 ...' >&2; \
		exit 1; \
	}
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo 'This Python cannot make virtual environments; on Debian a package is missing: apt install python3-venv' >&2; \
		exit 1; \
	}
	@rm -f $(VENV)/.ready-*
	@case "$$($(BIN)/python -c 'import pip, sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" in \
		$(VERSION)) ;; \
		*) echo 'making an environment for Python $(VERSION) in $(VENV)'; $(PYTHON) -m venv --clear $(VENV) ;; \
	esac
	@# The lock is whole, so nothing is to be resolved: pip would stumble over an extra of a package newer than the lock.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check --quiet --disable-pip-version-check
	@touch $@

# A catalogue that was changed is compiled without a new installation.
$(CATALOGUES): $(READY) $(wildcard firmware/locale/*/LC_MESSAGES/*.po)
	@$(BIN)/python hatch_build.py >/dev/null
	@touch $@

texts: $(READY)
	$(BIN)/python hatch_build.py

card: $(READY) $(CATALOGUES)
	$(BIN)/python -m firmware.card.card build/card

pictures: $(READY) $(CATALOGUES)
	$(BIN)/python -m firmware.screens.gallery build/pictures
	$(BIN)/python -m firmware.wiring
	$(BIN)/python -m tests.firmware.desk_picture hardware/pictures/desk.png

# requirements-dev.lock holds everything in requirements.lock, in the same versions.
lock:
	@command -v uv >/dev/null || test -x $(BIN)/uv || { echo 'make lock needs uv: $(BIN)/pip install uv' >&2; exit 1; }
	@uv=$$(command -v uv || echo $(BIN)/uv); \
	lock="$$uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --upgrade pyproject.toml"; \
	export UV_CUSTOM_COMPILE_COMMAND='make lock'; \
	$$lock -o requirements.lock && $$lock --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
