# Everything here runs from the repository's root. `make` alone lists the targets.

MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help
.PHONY: help build site serve test test-runners test-runners-all browser screenshots bench zola clean

MANIFEST := --manifest-path generator/Cargo.toml
GENERATOR := generator/target/release/generator
# The Zola to use, installed where there is none; ZOLA=/path/to/zola names another.
FIND_ZOLA := ZOLA=$$(generator/zola/find $(GENERATOR)) && export ZOLA
export CARGO_TARGET_DIR := $(CURDIR)/generator/target

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

build: ## Compile the generator
	cargo build $(MANIFEST) --release --locked

site: build ## Write content/ from data/ and build the website into public/
	@$(FIND_ZOLA) && set -x && $(GENERATOR) ingest data/ && $(GENERATOR) build

serve: build ## Show the website, and follow changes of data/, until Ctrl-C
	@$(FIND_ZOLA) && generator/zola/serve $(GENERATOR)

test: build ## Run every check and test, as CI does
	cargo fmt $(MANIFEST) --all --check
	cargo clippy $(MANIFEST) --locked --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc $(MANIFEST) --locked --no-deps
	@if command -v cargo-deny >/dev/null; then set -x; \
		cargo deny $(MANIFEST) --locked check --hide-inclusion-graph bans licenses sources; \
	else echo 'cargo-deny is not installed: bans, licences and sources go unchecked'; fi
	node --test --test-reporter=spec generator/zola/install.test.mjs
	@$(FIND_ZOLA) && set -x && cargo test $(MANIFEST) --locked
	$(GENERATOR) ingest data/ --check
	@$(MAKE) browser
	@$(MAKE) test-runners

browser: build ## Test the website in Chromium: layout, keyboard, accessibility, links
	@$(FIND_ZOLA) && generator/browser/run site.test.mjs

screenshots: build ## Make the README's pictures of the website anew
	@$(FIND_ZOLA) && generator/browser/run screenshots.mjs

# Each is a crate of its own: `cargo test` of one, with features, and without what only debuggers want.
define test_runner
cargo fmt --manifest-path generator/runners/$(1)/Cargo.toml --check
CARGO_TARGET_DIR=$(CURDIR)/generator/target/runners CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 cargo test --manifest-path generator/runners/$(1)/Cargo.toml --locked $(2)

endef

test-runners: build ## Run the tests of the measuring programs that build in minutes
	@pkg-config --exists openssl || { echo 'OpenSSL is not installed to be measured: apt-get install libssl-dev pkg-config' >&2; exit 1; }
	CARGO_TARGET_DIR=$(CURDIR)/generator/target/runners cargo clippy --manifest-path generator/runners/harness/Cargo.toml --locked --all-targets -- -D warnings
	cargo fmt --manifest-path generator/runners/libssl/Cargo.toml --check
	$(call test_runner,harness)
	$(call test_runner,rustls)
	$(call test_runner,rustls,--no-default-features --features ring)
	$(call test_runner,rustls-0.23-early,--no-default-features --features ring)
	$(call test_runner,rustls-0.22)
	$(call test_runner,rustls-0.21)
	$(call test_runner,openssl)
	rm -rf generator/target/measured
	$(GENERATOR) run rustls+ring openssl@system --runs 1 --multiplier 0.01 --suite measure,latency --out generator/target/measured

test-runners-all: test-runners ## Run the tests of all measuring programs
	$(call test_runner,rustls,--no-default-features --features graviola)
	$(call test_runner,openssl,--features vendored)
	$(call test_runner,openssl-4)
	$(call test_runner,s2n-tls)
	$(call test_runner,boringssl)

bench: ## Run the generator's own benchmarks
	cargo bench $(MANIFEST) --locked

zola: build ## Install Zola, if there is none, and say which one is used
	@$(FIND_ZOLA) && echo "$$ZOLA" && "$$ZOLA" --version

clean: ## Remove all that was built or installed
	rm -rf public generator/target generator/zola/node_modules generator/browser/node_modules generator/browser/screenshots
