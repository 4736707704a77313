# The commands of this project; `make help` lists them. CONTRIBUTING.md has the plain commands behind each.
# HOST and PORT are not read from the environment, where HOST often means something else.
HOST = 127.0.0.1
PORT = 8000
# The first Python that is new enough, for machines with several.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help run test check format lock wheels pictures judge bench bench-peers drill

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'

run: ## Serve the site on http://127.0.0.1:8000 (PORT=8001 HOST=0.0.0.0 for another address)
	@$(call install,requirements.txt)
	@$(BIN)/python manage.py serve --host $(HOST) --port $(PORT)

# The servers that tests start would compile all code again, each time.
test: export PYTHONDONTWRITEBYTECODE :=
# Many slow tests wait for a server or a browser, so that two processes share a core. The quick ones only compute.
test: PROCESSES = $(if $(ARGS),auto,$(shell expr 2 '*' $$(nproc 2>/dev/null || echo 2)))
test: ## Run every test (ARGS="-m 'not slow'" for the quick ones, ARGS="-k series" for some)
	@$(call install,requirements-dev.txt)
	@$(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal $(ARGS)

check: ## Check format, lint, types, templates, deployment settings and migrations
	@$(call install,requirements-dev.txt)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/djlint --check --lint --quiet templates
	$(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

format: ## Format code and templates
	@$(call install,requirements-dev.txt)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	-$(BIN)/djlint --reformat --quiet templates

pictures: ## Draw the pictures of the documentation again (ALL=1 draws every page into a folder outside; TO=folder)
	@$(call install,requirements-dev.txt)
	@$(BIN)/python $(if $(ALL),-m bench.pictures $(TO),docs/pictures/draw.py)

judge: ## Let Lighthouse, axe and html-validate judge the pages (ARGS="home series" for some)
	@$(call install,requirements-dev.txt)
	@$(BIN)/python -m bench.judge $(ARGS)

lock: ## Write the locks from the ranges in pyproject.toml
	@$(call install,requirements-dev.txt)
	$(BIN)/uv $(UV_COMPILE) pyproject.toml -o requirements.txt
	$(BIN)/uv $(UV_COMPILE) pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt

# The Python of the image.
WHEELS_FOR = $(shell sed -n 's/^ARG PYTHON=python:\([0-9.]*\).*/\1/p' Dockerfile)
wheels: ## Fill wheels/ with the program and its libraries, for the Dockerfile
	@$(call install,requirements.txt)
	@rm -rf wheels
	$(BIN)/pip download --quiet --require-hashes --only-binary=:all: --python-version $(WHEELS_FOR) -d wheels -r requirements.txt
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir wheels .

bench: ## Measure everything and write docs/performance.md (ARGS="--series 82500" for a tenth of the catalogue)
	@$(call install,requirements-dev.txt)
	$(BIN)/python -m bench.record pages
	$(BIN)/python -m bench.record upstream
	$(BIN)/python -m bench.record files
	$(BIN)/python -m bench.record memory
	$(BIN)/python -m bench.record catalogue $(ARGS)
	$(BIN)/python -m bench.record search $(ARGS)
	$(BIN)/python -m bench.record library
	$(BIN)/python -m bench.record watching
	$(BIN)/python -m bench.record ways
	$(BIN)/python -m bench.record summary
	$(BIN)/python -m bench.record figures

bench-peers: ## Measure five other programs and three databases the same way (needs PostgreSQL)
	@$(call install,requirements-dev.txt)
	$(BIN)/python -m bench.record peers
	$(BIN)/python -m bench.record databases
	$(BIN)/python -m bench.record summary
	$(BIN)/python -m bench.record figures

drill: ## Break things under load, on this machine only (ARGS=--quick takes five minutes)
	@$(call install,requirements-dev.txt)
	$(BIN)/python -m bench.drills $(ARGS)

UV_COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-emit-index-url --no-emit-find-links

# What the program cannot start without; a .venv that lacks one of them is created again.
NEEDED := import authlib, brotli, cachetools, django, django_htmx, granian, jinja2, joserfc, lxml.etree, markupsafe, msgspec, \
  prometheus_client, psycopg, redis, requests, structlog, urllib3, whitenoise, xlsxwriter

# As `python -m venv` does, but Ctrl-C prints no traceback.
CREATE := import signal, venv; signal.signal(signal.SIGINT, signal.SIG_DFL); \
  venv.create("$(VENV)", clear=True, symlinks=True, with_pip=True)

# $(call install,LOCK): create a .venv with the libraries of LOCK. A copy of the lock inside shows that it is complete.
# The lock for development holds every library of the other lock, at the same versions.
define install
if ! $(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
  echo 'econweb needs Python 3.11 or newer. Install one and name it: make $@ PYTHON=/path/to/python3' >&2; exit 1; fi; \
works() { $(BIN)/python -c 'import sys; assert sys.version_info >= (3, 11); $(NEEDED)' 2>/dev/null; }; \
if cmp -s $(1) $(VENV)/$(1) && works; then exit 0; fi; \
if ! $(PYTHON) -c 'import venv, ensurepip' 2>/dev/null; then \
  echo 'This Python has no venv module. Install it (on Debian: apt install python3-venv) and try again.' >&2; exit 1; fi; \
echo 'Installing what $(1) names into $(VENV), which takes about a minute ...'; \
works || $(PYTHON) -c '$(CREATE)' || { \
  echo 'The folder $(VENV) cannot be created. Delete it and try again.' >&2; exit 1; }; \
$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1) || { \
  echo 'The libraries cannot be installed. Look at the lines above, then try again. Without a network, name a folder of' \
    'wheels: make $@ PIP_NO_INDEX=1 PIP_FIND_LINKS=folder' >&2; exit 1; }; \
if [ $(1) = requirements-dev.txt ]; then cp requirements.txt $(VENV)/; fi; cp $(1) $(VENV)/
endef
