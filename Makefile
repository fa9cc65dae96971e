# What each target does stands behind ##; a bare "make" prints it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
TOOLS := $(CURDIR)/bin/tools
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GOFUMPT := $(TOOLS)/gofumpt-v0.12.0
LINTER := $(TOOLS)/golangci-lint-v2.15.0
FUZZTIME ?= 30s

.PHONY: help picture run build install test race lint fmt golden fuzz bench ci

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and open the agent here (ARGS="…" for flags)
	@bin/agent $(ARGS)

build: ## build bin/agent
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/agent ./cmd/agent

install: ## install agent into GOBIN
	@CGO_ENABLED=0 go install -trimpath -ldflags "-s -w -X main.version=$(VERSION)" ./cmd/agent

test: ## run every test (installs the programs that the tests drive, if missing)
	@scripts/test-deps
	@go test -shuffle=on ./...

race: ## run every test under the race detector
	@scripts/test-deps
	@go test -race -shuffle=on ./...

lint: $(GOFUMPT) $(LINTER) ## check format, vet and lint
	@out=$$($(GOFUMPT) -l cmd configs examples internal); test -z "$$out" || { echo "not formatted, run make fmt:"; echo "$$out"; exit 1; }
	@go vet ./... && GOOS=darwin go vet ./... && $(LINTER) run ./...

fmt: $(GOFUMPT) ## format the code
	@$(GOFUMPT) -w cmd configs examples internal

golden: ## rewrite the golden files; read the diff before you commit it
	@UPDATE_GOLDEN=1 go test ./internal/render/... ./internal/tui/... >/dev/null && git status --short '*.golden'

picture: ## draw docs/screen.svg, the picture of the README, from the running program
	@PICTURE=$(CURDIR)/docs/screen.svg go test -count=1 -run PictureOfTheReadme ./internal/e2e

fuzz: ## run every fuzz target for FUZZTIME (30s)
	@scripts/fuzz $(FUZZTIME)

bench: ## measure, as ratios to plain bash or the alternative in the same run
	@scripts/bench

ci: ## what the gate runs
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory race
	@$(MAKE) --no-print-directory lint

$(GOFUMPT):
	@scripts/tool mvdan.cc/gofumpt@v0.12.0 $@

$(LINTER):
	@scripts/tool github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 $@
