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

# The slow tests: storms of hotplug, replug and reload; long histories of records, and kills in the middle of writes.
soak:
	tests/scripts/packages test
	tests/scripts/private cargo test --locked --workspace -- --ignored
