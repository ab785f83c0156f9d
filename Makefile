# Every task of the project. "make" alone lists them; continuous integration runs them through .ci/run.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Tools, pinned here and nowhere else. They are built into .cache/bin, which git ignores.
GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT       := mvdan.cc/gofumpt@v0.12.0
GOTESTSUM     := gotest.tools/gotestsum@v1.13.0
HELM          := helm.sh/helm/v3/cmd/helm@v3.22.0
ALL_TOOLS     := $(GOLANGCI_LINT) $(GOFUMPT) $(GOTESTSUM) $(HELM)
# What only `make snapshot` needs: each takes minutes to build.
SNAPSHOT_TOOLS := github.com/goreleaser/goreleaser/v2@v2.13.0 github.com/anchore/syft/cmd/syft@v1.38.0
TOOLS         := $(CURDIR)/.cache/bin
# Where a tool is: .cache/bin/gofumpt@v0.12.0/gofumpt
place = $(TOOLS)/$(notdir $(1))/$(firstword $(subst @, ,$(notdir $(1))))

# The packages whose tests take longest. They begin, so that no core is idle at the end.
LONGEST := $(addprefix ./internal/,neo4jstore httpapi faulttest doctest neo4jtest neo4jdev app)

# What `make test` takes: make test RACE=1 PKG=./internal/graph RUN=TestID NEO4J_VERSION=2026.08.1
PKG           ?= $(LONGEST) ./...
RUN           ?=
SKIP          ?=
RACE          ?=
# LONG=1 runs five times as many generated cases.
LONG          ?=
TEST_FLAGS    ?=
# RERUN=1 runs up to three tests (of the flows, files) that failed once more, alone, and says which they were; never after a data race.
RERUN         ?=
NEO4J_VERSION ?= 5.26.30
# How many Neo4j the tests share: a package waits while another has each of them.
SERVERS       ?= 2
# How many packages are tested at a time: usually one of three has its own Neo4j or waits.
PACKAGES      ?= 3
# After which time a package whose tests have not ended fails, with the stacks of what it waits for.
TIMEOUT       ?= 60m
FUZZ_TIME     ?= 10s
FAULT_ROUNDS  ?= 10
KILLS         ?= 100
RULES         ?= 6000
SAMPLES       ?= 2000
SOAK          ?= 10m
FLOWS         ?=
# What `make test-contract` hands to Schemathesis besides .ci/contract/schemathesis.toml
CONTRACT_FLAGS ?=
# What `make bench` and `make bench-short` take besides; graphrest-bench -help lists it.
BENCH_FLAGS   ?=
# How many nodes the graph of `make bench-large` has.
SIZE          ?= 1000000

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# Tests say by markers which runs they belong to (internal/testmark). Tests marked Long are left out unless packages or tests are chosen.
chosen = $(if $(filter file,$(origin PKG)),$(RUN)$(SKIP)$(findstring -run,$(TEST_FLAGS)),chosen)
without_long = $(if $(chosen),,TESTMARK_LONG=no)
test_flags = $(if $(RACE),-race) $(if $(LONG),,-short) $(if $(RUN),-run '$(RUN)') $(if $(SKIP),-skip '$(SKIP)') $(TEST_FLAGS)

.PHONY: help
help: ## List the tasks
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Start the gateway with its own Neo4j; nothing needs to be configured
	@bin/graphrest dev $(ARGS)

.PHONY: build
build: need-go ## Build bin/graphrest
	@[ -e bin/graphrest ] || echo 'building bin/graphrest; the first time, with every dependency, takes some minutes' >&2
	@CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/graphrest ./cmd/graphrest

# The tests use the Neo4j that NEO4J_TEST_WIPE lists, if it is set (in a command of neo4jrun, as in .ci/run) and no release is asked for.
has_servers = $(and $(NEO4J_TEST_WIPE),$(filter file,$(origin NEO4J_VERSION)))
with_servers = $(if $(has_servers),,go run ./cmd/neo4jrun -install -dev -full-jit -servers $(SERVERS) -version $(NEO4J_VERSION) --)

.PHONY: test
test: need-go $(call place,$(GOTESTSUM)) ## Run the tests that are not marked Long on a real Neo4j that is started for it (RACE=1 LONG=1 PKG=... RUN=... NEO4J_VERSION=...)
	@echo 'testing $(if $(filter ./...,$(PKG)),every package (some $(if $(chosen),20,10) minutes on two cores),$(PKG)) on $(if $(has_servers),the Neo4j of NEO4J_URI,Neo4j $(NEO4J_VERSION))$(if $(RACE), with the race detector); each package is printed when it ends'
	@$(without_long) $(with_servers) $(call place,$(GOTESTSUM)) --format pkgname $(if $(RERUN),--rerun-fails=1 --rerun-fails-max-failures=3 --rerun-fails-abort-on-data-race) --packages '$(PKG)' -- -timeout $(TIMEOUT) -p $(PACKAGES) $(test_flags)

.PHONY: test-all
test-all: ## Run every test, also those marked Long
	@$(MAKE) --no-print-directory test PKG='$(PKG)' TIMEOUT='$(if $(filter file,$(origin TIMEOUT)),90m,$(TIMEOUT))'

.PHONY: test-contract
test-contract: build ## Hold the running gateway to its OpenAPI description with Schemathesis (CONTRACT_FLAGS='-n 2000')
	@go run ./cmd/neo4jrun -install -dev -full-jit -version $(NEO4J_VERSION) -- .ci/contract/run $(CONTRACT_FLAGS)

.PHONY: test-faults
test-faults: need-go ## Break Neo4j, the network and the gateways under load, over a thousand times (FAULT_ROUNDS=10); writes docs/reliability.md
	@FAULT_ROUNDS=$(FAULT_ROUNDS) FAULT_REPORT='$(CURDIR)/docs/reliability.md' go run ./cmd/neo4jrun -install -dev -version $(NEO4J_VERSION) -- \
		go test ./internal/faulttest -count=1 -v -timeout 3h

.PHONY: test-feed
test-feed: need-go ## Kill gateways and Neo4j KILLS=100 times while readers follow the change feed; writes docs/reliability.md
	@FEED_KILLS=$(KILLS) FEED_REPORT='$(CURDIR)/docs/reliability.md' go run ./cmd/neo4jrun -install -dev -version $(NEO4J_VERSION) -- \
		go test ./internal/faulttest -run TestFeedAmongKills -count=1 -v -timeout 24h

.PHONY: test-rules
test-rules: need-go ## Compare the store with the rules of roles, RULES=6000 generated cases in each of nine comparisons
	@GRAPHREST_TEST_RULES=$(RULES) go run ./cmd/neo4jrun -install -dev -version $(NEO4J_VERSION) -- go test ./internal/neo4jstore -count=1 -v -timeout 24h \
		-run 'TestListsAndReadsShowWhatAViewAllows|TestListsByEndsShow|TestWalksShowWhatAViewAllows|TestMergedReads|TestSearchAndSchemaShow|TestBatchesAreAuthorized|TestImportsAreAuthorized|TestDiffsShow|TestAggregatesShow'

.PHONY: test-grants
test-grants: need-go ## Run the conversations over HTTP once more with users who have grants for everything instead of permissions
	@GRAPHREST_TEST_GRANTS=1 go run ./cmd/neo4jrun -install -dev -full-jit -version $(NEO4J_VERSION) -- go test ./internal/httpapi -count=1 -timeout 1h \
		-run '$(if $(RUN),$(RUN),Conversation|Conform)'

.PHONY: measure-rules-timing
measure-rules-timing: need-go ## Compare the time of requests for hidden and for missing ids, SAMPLES=2000 of each
	@GRAPHREST_TIMING_SAMPLES=$(SAMPLES) go run ./cmd/neo4jrun -install -dev -full-jit -version $(NEO4J_VERSION) -- \
		go test ./internal/httpapi -run '^$$' -bench HiddenIDs -benchtime 1x -count=1 -timeout 1h

.PHONY: measure-queries
measure-queries: need-go ## Cancel CANCELLATIONS=500 queries and fail if one is left a second later; time READS=3000 reads beside heavy queries, and the guard
	@CANCELLATIONS=$(CANCELLATIONS) READS=$(READS) go run ./cmd/neo4jrun -install -dev -full-jit -version $(NEO4J_VERSION) -- \
		go test -p 1 ./internal/httpapi ./internal/queryguard -run '^$$' -bench 'Cancellations|BesideHeavyQueries|Overhead' -benchtime 1x -count=1 -timeout 1h

.PHONY: soak
soak: need-go ## Keep two gateways under load for SOAK=10m, and time refused logins; writes docs/reliability.md
	@SOAK=$(SOAK) LOGIN_SAMPLES=500 SOAK_REPORT='$(CURDIR)/docs/reliability.md' go test ./internal/faulttest -run TestSoak -count=1 -v -timeout 3h

.PHONY: bench
bench: build bin/graphrest-bench ## Measure the gateway against a service by hand, the driver and Neo4j's Query API; writes docs/benchmarks (BENCH_FLAGS='-nodes 1000000 -rounds 5')
	@bin/graphrest-bench -commit '$(COMMIT)' -out docs/benchmarks $(BENCH_FLAGS)

.PHONY: bench-short
bench-short: build bin/graphrest-bench ## A quick look at the same; prints the table
	@bin/graphrest-bench -commit '$(COMMIT)' -clients 32 -operations 'node by id;create node;update node;mix 90/10' -targets 'gateway;service;Query API;driver' \
		-nodes 20000 -edges 20000 -list-depth 100 -rounds 2 -round 600ms -warm-up 400ms $(BENCH_FLAGS)

.PHONY: bench-large
bench-large: build bin/graphrest-bench ## Measure reads against an analyst's Cypher on an imported graph of SIZE=1000000 nodes; adds to docs/benchmarks/large.md
	@bin/graphrest-bench large -size $(SIZE) -commit '$(COMMIT)' -out docs/benchmarks $(BENCH_FLAGS)

.PHONY: bench-match
bench-match: build bin/graphrest-bench ## Measure questions over several hops on that graph; writes docs/benchmarks/patterns.md
	@bin/graphrest-bench large -size $(SIZE) -questions '^(few grants: |fifty grants: )?match: ' -commit '$(COMMIT)' $(BENCH_FLAGS) > docs/benchmarks/patterns.md

.PHONY: bin/graphrest-bench
bin/graphrest-bench: need-go
	@CGO_ENABLED=0 go build -trimpath -o $@ ./cmd/graphrest-bench

.PHONY: lint
lint: need-go $(call place,$(GOLANGCI_LINT)) ## Check the source: vet, staticcheck, gosec, style
	@$(call place,$(GOLANGCI_LINT)) run

.PHONY: lint-chart
lint-chart: need-go $(call place,$(HELM)) ## Check the Helm chart: lint, and what it renders
	@.ci/lint-chart '$(call place,$(HELM))'

.PHONY: snapshot
snapshot: need-go $(TOOLS)/snapshot ## Build archives, packages and bills of materials as a release would, and try them (needs root)
	@$(with_servers) env PATH="$(TOOLS)/snapshot:$$PATH" .ci/snapshot

$(TOOLS)/snapshot: Makefile
	@echo 'building $(SNAPSHOT_TOOLS)' >&2
	@mkdir -p $@ && for tool in $(SNAPSHOT_TOOLS); do GOBIN='$@' go install "$$tool"; done && touch $@

.PHONY: fmt
fmt: need-go $(call place,$(GOFUMPT)) ## Format the source
	@$(call place,$(GOFUMPT)) -w $$(git ls-files --cached --others --exclude-standard '*.go')

# The web interface: source in internal/webui/app, built files in internal/webui/dist. Only its targets need Node.
WEBUI := internal/webui/app

.PHONY: webui
webui: $(WEBUI)/node_modules ## Build the web interface into internal/webui/dist (needs Node 20.19 or newer)
	@cd $(WEBUI) && npm run --silent check && npm run --silent build -- --logLevel warn

.PHONY: fmt-webui
fmt-webui: $(WEBUI)/node_modules ## Format the source of the web interface
	@cd $(WEBUI) && npm run --silent fmt

.PHONY: check-webui
check-webui: ## Fail when the built web interface is not that of its source
	@.ci/check-webui

.PHONY: test-webui
test-webui: test-webui-units test-webui-flows ## Test the web interface: units, and its flows in Chromium on the real gateway

.PHONY: test-webui-units
test-webui-units: $(WEBUI)/node_modules
	@cd $(WEBUI) && npm test --silent

# FLOWS is what vitest takes besides: the name of a file, or one part of them all, as in --shard=1/2
.PHONY: test-webui-flows
test-webui-flows: build $(WEBUI)/node_modules
	@RERUN='$(RERUN)' .ci/flows '$(NEO4J_VERSION)' $(if $(FLOWS),1,$(SERVERS)) $(FLOWS)

# The tools that check the generated clients. TypeScript is that of the web interface.
MYPY := mypy==2.4.1
MYPY_DIR := .cache/$(subst ==,@,$(MYPY))

$(MYPY_DIR)/bin/mypy:
	@rm -rf $(MYPY_DIR) && python3 -m venv $(MYPY_DIR) && $(MYPY_DIR)/bin/pip install -q --disable-pip-version-check $(MYPY)

# A generator of clients that others wrote; that for TypeScript, openapi-typescript, is one of the packages of the web interface.
OPENAPI_PYTHON := openapi-python-client==0.29.1
OPENAPI_PYTHON_DIR := .cache/$(subst ==,@,$(OPENAPI_PYTHON))

MCP_PYTHONS := mcp==1.30.0 mcp==2.3.0
MCP_PYTHON_DIRS := $(foreach p,$(MCP_PYTHONS),.cache/$(subst ==,@,$(p)))
MCP_NODES := @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
MCP_NODE_DIRS := $(foreach p,$(MCP_NODES),.cache/$(subst /,+,$(p)))

$(OPENAPI_PYTHON_DIR)/complete $(MCP_PYTHON_DIRS:%=%/complete):
	@rm -rf $(@D) && python3 -m venv $(@D) && $(@D)/bin/pip install -q --disable-pip-version-check $(subst @,==,$(notdir $(@D))) && touch $@

$(MCP_NODE_DIRS:%=%/node_modules):
	@mkdir -p $(@D) && npm install --silent --no-package-lock --prefix $(@D) $(subst +,/,$(notdir $(@D)))

.PHONY: test-clients
test-clients: need-go $(WEBUI)/node_modules $(MYPY_DIR)/bin/mypy $(OPENAPI_PYTHON_DIR)/complete $(MCP_PYTHON_DIRS:%=%/complete) $(MCP_NODE_DIRS:%=%/node_modules) ## Check the generated clients with mypy and TypeScript, run the latter, try other generators, and connect the official clients of agents
	@TESTMARK_OPENAPI_PYTHON_CLIENT='$(CURDIR)/$(OPENAPI_PYTHON_DIR)/bin/openapi-python-client' TESTMARK_MYPY='$(CURDIR)/$(MYPY_DIR)/bin/mypy' TESTMARK_TSC='$(CURDIR)/$(WEBUI)/node_modules/typescript/bin/tsc' $(with_servers) \
		go test -tags clients ./internal/clientgen ./cmd/graphrest -count=1 -run 'Typed|TypeScript'
	@TESTMARK_MCP_PYTHON_1='$(CURDIR)/$(word 1,$(MCP_PYTHON_DIRS))/bin/python' TESTMARK_MCP_PYTHON_2='$(CURDIR)/$(word 2,$(MCP_PYTHON_DIRS))/bin/python' TESTMARK_MCP_NODE_1='$(CURDIR)/$(word 1,$(MCP_NODE_DIRS))/node_modules' TESTMARK_MCP_NODE_2='$(CURDIR)/$(word 2,$(MCP_NODE_DIRS))/node_modules' $(with_servers) \
		go test -tags clients ./internal/httpapi -count=1 -run 'TestOfficialClientsOfAgents|TestCallsEndWithTheirAgent'

.PHONY: measure-webui
measure-webui: build $(WEBUI)/node_modules ## Print the sizes of the web interface, what its flows cost and how fast the canvas is
	@cd $(WEBUI) && npm run --silent sizes
	@MEASURE=1 CHROMIUM=/usr/bin/chromium go run ./cmd/neo4jrun -install -dev -http -version $(NEO4J_VERSION) -- npm --prefix $(WEBUI) run --silent flows -- measure --reporter=default --silent=false

.PHONY: measure-webui-large
measure-webui-large: build bin/graphrest-bench $(WEBUI)/node_modules ## Print how fast the web interface is on the imported graph of SIZE=1000000 nodes
	@env -u NEO4J_URI -u NEO4J_TEST_HTTP MEASURE=large CHROMIUM=/usr/bin/chromium bin/graphrest-bench large -size $(SIZE) -neo4j '$(NEO4J_VERSION)' -- npm --prefix $(WEBUI) run --silent flows -- measure-large --reporter=default --silent=false

$(WEBUI)/node_modules: $(WEBUI)/package-lock.json
	@command -v npm >/dev/null || { echo 'Node is missing. Install Node 20.19 or newer: https://nodejs.org' >&2; exit 1; }
	@cd $(WEBUI) && npm ci --no-fund --no-audit && touch node_modules

.PHONY: generate
generate: need-go ## Write what is generated: docs/configuration.md, docs/openapi
	@go test ./internal/config -run TestDocumentIsCurrent -count=1 -update >/dev/null
	@go generate ./...

.PHONY: check-generated
check-generated: ## Fail when a generated file is stale or go.mod is not tidy
	@.ci/check-generated

.PHONY: fuzz-short
fuzz-short: need-go ## Run every fuzz target for a short time (FUZZ_TIME=10s)
	@.ci/fuzz-short $(FUZZ_TIME)

.PHONY: tools
tools: $(foreach tool,$(ALL_TOOLS),$(call place,$(tool))) ## Build the pinned tools into .cache/bin

.PHONY: clean
clean: ## Remove what was built; the data of `make run` stays in .graphrest
	@rm -rf bin

.PHONY: need-go
# Go 1.21 and later fetch the version that go.mod names, or say which it is. Earlier ones report errors in go.mod.
need-go: GO_NEEDED = $(shell sed -nE 's/^go ([0-9]+\.[0-9]+).*/\1/p' go.mod)
need-go:
	@command -v go >/dev/null || { echo 'Go is missing. Install Go $(GO_NEEDED) or newer: https://go.dev/doc/install' >&2; exit 1; }
	@found=$$(GOTOOLCHAIN=local go version | sed -nE 's/^go version go1\.([0-9]+).*/\1/p'); [ "$${found:-21}" -ge 21 ] || \
		{ echo "Go 1.$$found is too old. Install Go $(GO_NEEDED) or newer: https://go.dev/doc/install" >&2; exit 1; }

# A tool's place carries its version, so another version here means another build.
$(TOOLS)/%:
	@echo 'building $(*F) $(patsubst $(*F)@%,%,$(notdir $(*D)))' >&2
	@GOBIN='$(@D)' go install $(filter %/$(notdir $(*D)),$(ALL_TOOLS))
