# Run all targets from the repository's root. `make` alone lists them.

MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help
.PHONY: help setup build debug site serve test test-examples test-pages test-simulations test-mutants test-faults test-labels fuzz test-zola test-action lint-workflows deny newest msrv docs check-systems test-archive test-spark test-runners test-runners-all browser firefox screenshots bench bench-steady bench-command zola clean

MANIFEST := --manifest-path generator/Cargo.toml
GENERATOR := generator/target/release/generator
# The tests build it anyway.
DEBUG_GENERATOR := generator/target/debug/generator
# The Zola to use, installed if there is none; override it with ZOLA=/path/to/zola.
find_zola = ZOLA=$$(generator/tools/zola/find) && export ZOLA
export CARGO_TARGET_DIR := $(CURDIR)/generator/target

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

setup: ## Install the packages that the tests need
	@generator/tools/setup

build: ## Compile the generator
	cargo build $(MANIFEST) --release --locked

debug:
	cargo build $(MANIFEST) --locked

site: build ## Write content/ from data/ and build the website into public/
	@$(find_zola) && set -x && $(GENERATOR) ingest data/ && "$$ZOLA" build

serve: build ## Preview the website and rebuild it when data/ changes, until Ctrl-C
	@$(find_zola) && exec generator/tools/zola/serve $(GENERATOR)

# Clippy compiles what is tested: a pass of its own would check all dependencies too. An option, unlike a variable, is not
# for the cargo that a test starts.
LINTED := cargo --config 'build.rustc-workspace-wrapper="clippy-driver"'
test: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
test: setup ## Run the checks and tests of every push; CONTRIBUTING.md has what runs when
	cargo fmt $(MANIFEST) --all --check
	$(LINTED) build $(MANIFEST) --locked --all-targets
	@# Fails if the lock file of the fuzz targets lacks a dependency of the generator.
	cargo metadata --manifest-path generator/fuzz/Cargo.toml --locked --format-version 1 >/dev/null
	node --test --test-reporter=spec generator/tools/zola/install.test.mjs generator/tools/zola/serve.test.mjs
	@$(find_zola) && set -x && $(LINTED) test $(MANIFEST) --locked
	$(if $(SAMPLES),$(LINTED) test $(MANIFEST) --locked --test program -- --ignored published_samples)
	@# The tests have built the generator that these targets need. Measuring takes one core, and Chromium waits too.
	@$(MAKE) -o setup -o debug -j2 --output-sync=target test-examples browser test-runners

test-examples: debug ## Run the examples with figures of this site
	examples/machines/test $(DEBUG_GENERATOR)
	@$(find_zola) && examples/verify/test $(DEBUG_GENERATOR)

# Both build the program: `make debug` would compile it, and what it shares with the tests, with other features before.
test-pages: ## Test what a changed page, template or report can break
	@$(find_zola) && set -x && cargo test $(MANIFEST) --locked --test site
	@$(MAKE) -o debug browser

docs: ## Check the documentation of the code
	RUSTDOCFLAGS='-D warnings' cargo doc $(MANIFEST) --locked --no-deps

test-action: debug ## Run the steps of pull requests' workflows on a small repository
	generator/tools/action/test

lint-workflows: debug ## Lint the workflows, and those of a new site, with actionlint and zizmor
	rm -rf generator/target/new-site generator/target/new-crate
	$(DEBUG_GENERATOR) --quiet init --tls generator/target/new-site
	$(DEBUG_GENERATOR) --quiet init --into --pages generator/target/new-crate
	generator/tools/action/lint . generator/target/new-site generator/target/new-crate

deny: ## Check advisories, licences and sources of all dependencies with cargo-deny
	generator/tools/deny/check

newest: debug ## Measure briefly with the newest release of each library; takes half an hour
	generator/tools/setup runners
	generator/tools/newest $(DEBUG_GENERATOR)

msrv: ## Compile with the oldest supported Rust, installed by rustup
	@set -x; msrv=$$(sed -n 's/^rust-version = "\(.*\)"/\1/p' generator/Cargo.toml) \
		&& rustup toolchain install "$$msrv" --profile minimal --no-self-update \
		&& cargo "+$$msrv" check $(MANIFEST) --locked --all-targets

SYSTEMS := aarch64-apple-darwin x86_64-apple-darwin x86_64-pc-windows-msvc
check-systems: ## Check that program and tests compile for macOS and Windows, by rustup's targets
	rustup target add $(SYSTEMS)
	cargo check $(MANIFEST) --locked --bins --tests $(SYSTEMS:%=--target %)

test-simulations: ## Check coverage of intervals and error rates of verdicts by simulation; takes minutes
	cargo test $(MANIFEST) --locked --release --lib simulation -- --ignored --nocapture

test-mutants: ## Try every edit of the fixtures of all formats; takes minutes
	MUTANTS=all cargo test $(MANIFEST) --locked --lib no_mutant_moves_a_figure

fuzz: ## Run all fuzz targets, or those in TARGETS, for SECONDS each [default: 60]
	generator/fuzz/run -max_total_time=$(or $(SECONDS),60)

test-faults: setup ## Inject failures into each file-system call of the commands that write; takes minutes
	FAULTS=all cargo test $(MANIFEST) --locked --test faults -- --nocapture

test-zola: ## Build this site and a foreign one with each supported Zola
	CASE=foreign generator/tools/zola/each cargo test $(MANIFEST) --locked --test cases --test hostile --test site

# A virtual environment of Python with these packages.
define python_with
@generator/tools/setup python
@test -x generator/target/$(1)/bin/python || python3 -m venv generator/target/$(1)
generator/target/$(1)/bin/pip install -q --disable-pip-version-check $(2)
endef

test-archive: debug ## Query the reports of data/ with DuckDB and compare with the generator
	$(call python_with,duckdb,-r examples/archive/requirements.txt)
	generator/target/duckdb/bin/python examples/archive/test.py $(DEBUG_GENERATOR)

test-spark: debug ## Query the same reports with Spark
	@java -version 2>&1 | grep -qE 'version "(1[7-9]|[2-9][0-9])' || { echo 'Spark needs Java 17 or newer: apt-get install default-jre-headless' >&2; exit 1; }
	$(call python_with,spark,-r examples/archive/requirements-spark.txt)
	generator/target/spark/bin/python examples/archive/test_spark.py $(DEBUG_GENERATOR)

browser: debug ## Test the website in Chromium: layout, keyboard, accessibility
	@$(find_zola) && generator/tools/browser/run site.test.mjs

firefox: debug ## Test each kind of page in Firefox
	@generator/tools/setup firefox
	@$(find_zola) && generator/tools/browser/run firefox.test.mjs

test-labels: debug ## Open pages of 10,000 hostile labels, or LABELS, in Chromium and Firefox; takes minutes
	@generator/tools/setup firefox
	@$(find_zola) && LABELS=$(or $(LABELS),10000) generator/tools/browser/run hostile.test.mjs

screenshots: debug ## Take the screenshot of the README again
	@$(find_zola) && generator/tools/browser/run screenshots.mjs

# cargo for the runners' harness, without debug information.
RUNNERS := generator/runners
RUNNERS_CARGO := CARGO_TARGET_DIR=$(CURDIR)/generator/target/runners CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 cargo
RUNNERS_OUT := generator/target/measured

# Measures briefly with programs, of sizes and of buffers only a few. No row may be unsupported but those that match.
define measure
rm -rf $(RUNNERS_OUT)
$(DEBUG_GENERATOR) run $(1) --runs 1 --multiplier 0.01 --suite all,footprint -F '[0-9]000 sessions|ml-dsa|^build|[0-9]{3,}-byte writes|\[.*, .*\]' --out $(RUNNERS_OUT)
$(DEBUG_GENERATOR) run $(1) --runs 1 --multiplier 0.01 --suite counts -f '1.3, ecdsa, x25519$$|session id|^transfer, 1.3' --out $(RUNNERS_OUT)
! grep -rh ',unsupported,' $(RUNNERS_OUT) | grep -vE $(2)

endef

test-runners: setup debug ## Test the harness of the runners, and measure with two of them
	rustfmt --edition 2024 --check $$(find $(RUNNERS) generator/scenario/src -name '*.rs' -not -path '*/target/*')
	$(RUNNERS_CARGO) clippy --manifest-path $(RUNNERS)/harness/Cargo.toml --locked --all-targets --features c -- -D warnings
	$(RUNNERS_CARGO) test --manifest-path $(RUNNERS)/harness/Cargo.toml --locked
	@# The system's OpenSSL may be older than 3.5, the first with ML-KEM.
	$(call measure,rustls+ring+malloc openssl@system,'mlkem768|OpenSSL.*vectored')
	@# More sessions than OpenSSL's cache has by default.
	printf 'slice 20000\nslice 1000\nend\n' | generator/target/run/openssl_system/runner-c --certificates generator/certificates 'resumed handshakes, 1.3, x25519, session id'

test-runners-all: test-runners ## Test all runners; takes half an hour
	generator/tools/setup runners
	cd $(RUNNERS)/go && GOTOOLCHAIN=auto go vet .
	$(call measure,rustls rustls+graviola rustls@0.24.0-dev.2,valgrind)
	$(call measure,rustls@0.24.0-dev.2+ring rustls@0.23.17+ring rustls@0.22 rustls@0.21 rustls@0.20,mlkem768)
	$(call measure,openssl openssl@system+jemalloc,'vectored|mlkem768')
	$(call measure,boringssl aws-lc,'vectored|1.3.*session id')
	$(call measure,s2n s2n+jemalloc go,'vectored|session id|times only|part of Go|s2n-tls.*(mlkem768|1.2, ecdsa, x25519)')
	$(call measure,gnutls gnutls+jemalloc mbedtls wolfssl wolfssl+jemalloc,'vectored|1.3.*session id|mlkem768')

bench: ## Run the generator's own benchmarks
	cargo bench $(MANIFEST) --locked --bench generator

bench-steady: build ## Show what taking turns costs, and which differences `generator run` finds beside neighbours; takes an hour
	generator/tools/steady/company $(GENERATOR)
	generator/tools/steady/cold
	generator/tools/steady/sensitivity $(GENERATOR)

bench-command: debug ## Show which differences `generator run --command` finds; takes two minutes
	generator/tools/steady/command $(DEBUG_GENERATOR)

zola: ## Install Zola if there is none, and print its path and version
	@$(find_zola) && echo "$$ZOLA" && "$$ZOLA" --version

clean: ## Remove everything that was built or installed
	rm -rf public generator/target generator/tools/zola/node_modules generator/tools/browser/node_modules generator/tools/browser/screenshots
