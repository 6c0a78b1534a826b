# Every line below is a command a person could type.
SHELL := /bin/bash
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: run test lint bench soak

# The desktop: on this session's compositor, or as a picture where there is none.
run:
	tests/scripts/packages run
	cargo build --release --locked --package ede
	tests/scripts/desktop target/release/ede

# Everything that must hold, without a compositor or a GPU of your own.
test: lint
	tests/scripts/private cargo test --locked --workspace --features ede-widgets/wgpu

lint:
	tests/scripts/packages test
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --features ede-widgets/wgpu,ede-tests/figures -- -D warnings
	tests/scripts/deny

# Figures, beside those of the peers that are installed (waybar, yambar).
bench:
	tests/scripts/packages run
	cargo build --release --locked --package ede --package ede-tests --features ede-tests/figures --bin ede --bin figures
	tests/scripts/private target/release/figures

# The slow tests: every property over 100,000 cases (slow ones over a tenth), another set each time; storms of hotplug, replug and
# reload; long histories of records, and kills in the middle of writes; libFuzzer on every kind of bytes from outside, where there is one.
soak: export PROPTEST_CASES ?= 100000
soak: export PROPTEST_RNG_SEED ?= $(shell date +%s)
soak:
	tests/scripts/packages test
	@echo "cases by PROPTEST_RNG_SEED=$$PROPTEST_RNG_SEED"
	tests/scripts/private cargo test --locked --workspace --features ede-widgets/wgpu --no-fail-fast -- --include-ignored --skip open_files_do_not_grow
	tests/scripts/fuzz
