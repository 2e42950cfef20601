# `make help` lists the targets. README.md describes the project.

GO      ?= go
TAGS    := nomsgpack
PACKAGES ?= ./...
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
DATE    ?= $(shell git log -1 --format=%cI 2>/dev/null || echo unknown)
COMMIT  ?= $(shell git rev-parse --short HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X lyceum/cmd/cli.version=$(VERSION) -X lyceum/cmd/cli.commit=$(COMMIT) -X lyceum/cmd/cli.date=$(DATE)
# Only the race detector needs cgo. All other builds do without, so that they share one build cache.
CGO_ENABLED ?= 0
export CGO_ENABLED

# The compiler, the linker and the tests take a quarter less processor time if they collect garbage
# less often. Benchmarks and make run do not use this value.
build tools vet lint test test-browser test-clients test-sdk test-examples test-faults race fuzz: export GOGC ?= 400

.DEFAULT_GOAL := help

.PHONY: help
help: ## List all targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: build
build: ## Build bin/lyceum
	$(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' -o bin/lyceum ./cmd/lyceum

.PHONY: run
run: build ## Start the server in memory with a demo school
	./bin/lyceum serve --demo

.PHONY: test
test: ## Run the whole suite, on both stores (boots its own Postgres where none is given); SHORT=-short shortens the slowest tests
	$(if $(filter ./...,$(PACKAGES)),$(GO) run -tags $(TAGS) ./test/tools/withpostgres) $(GO) test $(SHORT) -tags $(TAGS) $(PACKAGES)

FAULTS   ?= all
SEED     ?= 1
DURATION ?= 15s
SETTLE   ?= 5m
.PHONY: test-faults
test-faults: build ## Kill servers and the database under load, and check that nothing is lost; FAULTS, SEED, DURATION, SETTLE
	$(GO) test -tags $(TAGS) -count=1 -v -timeout 60m -run '^Test(Faults|RemovalSurvivesKill)$$' ./test/e2e/faults -program '$(CURDIR)/bin/lyceum' \
	  -faults '$(FAULTS)' -seed '$(SEED)' -duration '$(DURATION)' -settle '$(SETTLE)'

.PHONY: test-cluster
test-cluster: build ## Kill, freeze and cut off the primary of a cluster with Patroni under load (installs its programs on Debian as root); SEED, DURATION, SETTLE
	@command -v patroni >/dev/null && command -v pgbouncer >/dev/null && /usr/bin/python3 -c 'import etcd' || apt-get install -y --no-install-recommends patroni python3-etcd etcd-server haproxy pgbouncer iproute2
	$(GO) test -c -tags $(TAGS) -o bin/cluster.test ./test/e2e/cluster
	@# The shell waits for processes whose parent has ended; otherwise Patroni would think that they run.
	cd test/e2e/cluster && unshare --net --mount --pid --fork --kill-child --mount-proc sh -c '"$$@"; exit $$?' sh $(CURDIR)/bin/cluster.test \
	  -test.v -test.timeout 60m -program '$(CURDIR)/bin/lyceum' -seed '$(SEED)' -duration '$(DURATION)' -settle '$(SETTLE)'

.PHONY: test-browser
test-browser: build ## Test the pages and the TypeScript SDK in a browser (installs Chromium and its driver if possible); SHORT=-short leaves out the longest tests
	$(if $(SHORT),,$(GO) -C test/e2e/sso build -trimpath -o ../../../bin/provider ./provider)
	SHORT='$(SHORT)' ./test/e2e/browser/run

.PHONY: screenshots
screenshots: build ## Write the screenshots of README.md, docs/academy.md and docs/teaching.md from the demo school (uses port 8080)
	./test/e2e/browser/run screenshots.cjs

.PHONY: test-clients
test-clients: build ## Test with a validator and a library of JSON:API and with generated clients (installed by npm); SHORT=-short leaves out the longest tests
	SHORT='$(SHORT)' ./test/e2e/clients/run clients

.PHONY: test-sdk
test-sdk: build ## Test the SDKs for Go and TypeScript against a server
	$(GO) -C sdk/go test -vet=off -count=1 ./...
	./test/e2e/clients/run clients sdk/typescript/test/run.cjs

.PHONY: test-examples
test-examples: ## Build and test the examples: a module with rules and a store of its own, tests of a client, a copy of a school, and a receiver of webhooks
	$(GO) -C examples/academy vet -tags $(TAGS) ./...
	$(GO) -C examples/academy build -tags $(TAGS) -o ../../bin/academy .
	$(GO) -C examples/academy test -vet=off -tags $(TAGS) ./...
	$(GO) -C examples/testing vet -tags $(TAGS) ./...
	$(GO) -C examples/testing test -vet=off -tags $(TAGS) ./...
	$(GO) -C examples/warehouse vet -tags $(TAGS) ./...
	$(GO) -C examples/warehouse test -vet=off -tags $(TAGS) ./...
	$(GO) -C examples/webhook-receiver vet -tags $(TAGS) ./...
	$(GO) -C examples/webhook-receiver test -vet=off -tags $(TAGS) ./...

.PHONY: sdk
sdk: build ## Generate the models of the SDKs from the API description; make test-clients checks them
	./test/e2e/clients/run clients sdk/generate.cjs

.PHONY: test-generators
test-generators: build ## Lint the API description with Spectral and Redocly, and test a client from @hey-api/openapi-ts
	./test/e2e/clients/run generators

.PHONY: test-acme
test-acme: ## Test certificates from an ACME authority against Pebble
	$(GO) -C test/e2e/acme test -count=1 ./...

.PHONY: test-sso
test-sso: ## Test single sign-on against the example provider of zitadel/oidc
	$(GO) -C test/e2e/sso test -count=1 ./...

.PHONY: test-deploy
test-deploy: ## Check the files in docs/deploy against the types of Compose and Kubernetes
	$(GO) -C test/e2e/deploy test -count=1 ./...

.PHONY: test-monitoring
test-monitoring: ## Test the dashboard and the alert rules in docs/deploy with Prometheus (installs it on Debian as root)
	@command -v prometheus promtool >/dev/null || apt-get install -y --no-install-recommends prometheus
	$(GO) test -tags $(TAGS) -count=1 ./test/e2e/monitoring -prometheus

.PHONY: test-backup
test-backup: ## Back up a school with pgBackRest and restore it, as docs/operations/backup.md describes (installs pgBackRest on Debian as root)
	@command -v pgbackrest >/dev/null || apt-get install -y --no-install-recommends pgbackrest
	$(GO) test -tags $(TAGS) -count=1 ./test/e2e/backup -pgbackrest

PLATFORMS ?= linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64
.PHONY: release
release: ## Build archives with checksums, SBOMs and licenses into dist, the same bytes from the same commit; PLATFORMS
	$(GO) -C test/tools/release run . -root '$(CURDIR)' -out '$(CURDIR)/dist' -version '$(VERSION)' -commit '$(COMMIT)' -date '$(DATE)' -platforms '$(PLATFORMS)'

.PHONY: test-release
test-release: ## Build the release for this platform twice, compare the bytes and check the contents
	$(GO) -C test/tools/release test -count=1 ./...

.PHONY: test-image
test-image: ## Build the runtime stage of docs/deploy/Dockerfile for amd64 and arm64 and run it (installs buildah and QEMU on Debian as root)
	@command -v buildah >/dev/null && command -v qemu-aarch64-static >/dev/null || apt-get install -y --no-install-recommends buildah qemu-user-static
	$(GO) test -tags $(TAGS) -count=1 ./test/e2e/image -buildah

.PHONY: check-all
check-all: test test-browser test-clients test-release test-image test-generators test-acme test-sso test-deploy test-monitoring test-backup race fuzz ## Run the checks that take too long for make ci

.PHONY: race
race: ## Run all tests, or those that match RUN, with the race detector
	CGO_ENABLED=1 $(GO) test -race -tags $(TAGS) -run '$(RUN)' $(PACKAGES)

.PHONY: cover
cover: ## Run all tests and write coverage.html
	$(GO) test -tags $(TAGS) -coverpkg=./domain/...,./app/...,./ports/...,./adapters/...,./cmd/... -coverprofile=cover.out $(PACKAGES)
	$(GO) tool cover -html=cover.out -o coverage.html
	$(GO) tool cover -func=cover.out | tail -n 1

# A number of inputs, not a duration: go test sometimes reports the end of the duration as a
# failure.
FUZZTIME ?= 200000x
FUZZED   ?= .
.PHONY: fuzz
fuzz: ## Fuzz every target below the folders FUZZED with FUZZTIME inputs each
	@for dir in $$(grep -rlE '^func Fuzz' --include='*_test.go' $(FUZZED) | xargs -n1 dirname | sort -u); do \
	  for target in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]*' $$dir/*_test.go | sed 's/func //'); do \
	    echo "$$dir $$target"; $(GO) test -tags $(TAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$dir || exit 1; \
	  done; done

.PHONY: bench
bench: ## Run the benchmarks of the hot paths, with allocations
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchmem $(PACKAGES)

BASE ?= HEAD^
BENCH ?= .
COUNT ?= 6
.PHONY: bench-compare
bench-compare: ## Compare the benchmarks with those of the commit BASE, using benchstat; BENCH selects some
	test/tools/bench/compare.sh '$(BASE)' '$(BENCH)' '$(COUNT)'

IMPORT ?= 0.2
.PHONY: bench-import
bench-import: ## Compare a load with a bare COPY of its rows; IMPORT=1 is a million enrollments and five million events
	$(GO) test -tags $(TAGS) -run '^$$' -bench '^BenchmarkImport$$' -benchtime 1x -timeout 60m ./test/tools/bench -import $(IMPORT)

PEOPLE ?= 100000
.PHONY: bench-import-people
bench-import-people: ## Compare an import of PEOPLE people as CSV next to another school with one into an empty database
	$(GO) test -tags $(TAGS) -run '^$$' -bench '^BenchmarkImportPeople$$' -benchtime 1x -timeout 60m ./test/tools/bench -people $(PEOPLE)

CHANGES ?= 400
.PHONY: bench-changes
bench-changes: ## Compare creates of people and enrollments with and without the change feed and the audit trail, in CHANGES rounds each
	$(GO) test -tags $(TAGS) -run '^$$' -bench '^BenchmarkChanges$$' -benchtime 1x -timeout 60m ./test/tools/bench -changes $(CHANGES)

.PHONY: bench-load
bench-load: ## Compare the server on Postgres with bare handlers over HTTP, and update docs/performance.md; LOAD sets flags
	$(GO) run -tags $(TAGS) ./test/tools/bench/load -write docs/performance.md -plot docs/performance.svg $(LOAD)

GROW ?= 1000000
.PHONY: bench-growth
bench-growth: ## Measure response times with ten and a hundred times the rows, and update docs/performance.md; LOAD sets flags
	$(GO) run -tags $(TAGS) ./test/tools/bench/load -grow $(GROW) -write docs/performance.md -plot docs/growth.svg $(LOAD)

.PHONY: bench-large
bench-large: ## Measure bulk requests, imports, exports and changes of large courses at two sizes, and update docs/performance.md; LARGE sets flags
	$(GO) run -tags $(TAGS) ./test/tools/bench/large -write docs/performance.md $(LARGE)

.PHONY: bench-fairness
bench-fairness: ## Measure one school's requests while another client attacks, and update docs/fairness.md; FAIR sets flags
	$(GO) run -tags $(TAGS) ./test/tools/bench/fairness -write docs/fairness.md $(FAIR)

URL ?= http://127.0.0.1:8080
.PHONY: walk
walk: ## Read every list of the server at URL to its end, with the key in LYCEUM_KEY
	$(GO) run -tags $(TAGS) ./test/tools/crawl/lyceumwalk -url '$(URL)'

.PHONY: sweep
sweep: ## Request every list of the server at URL with each filter, order and search; with LYCEUM_DATABASE_URL, report table scans
	$(GO) run -tags $(TAGS) ./test/tools/crawl/lyceumsweep -url '$(URL)'

.PHONY: tools
tools: ## Build the tools of lint and format into bin
	$(GO) build -C test/tools/lint -o $(CURDIR)/bin/ . mvdan.cc/gofumpt

.PHONY: vet
vet: tools ## Check the code with the analyzers of go vet and staticcheck and all others that test/tools/lint collects
	$(GO) vet -tags $(TAGS) -vettool=$(CURDIR)/bin/lint $(PACKAGES)
	$(GO) -C sdk/go vet -vettool=$(CURDIR)/bin/lint ./...

.PHONY: lint
lint: vet ## Check the code with gofumpt and vet
	@files=$$(bin/gofumpt -l $$(git ls-files '*.go')); [ -z "$$files" ] || { echo "make format would change:" $$files; exit 1; }

.PHONY: format
format: tools ## Format the code
	bin/gofumpt -w $$(git ls-files '*.go')

.PHONY: golden
golden: ## Rewrite the golden files; review the difference before you commit it
	$(GO) test -tags $(TAGS) ./test/api/apitest -count=1 -run '^TestMemory$$/^(Golden|Bytes|CSVLists|Export|LearnerTokens)$$' -update

.PHONY: reference
reference: ## Copy the library of the reference page into the source, in the version that its package.json names
	mkdir -p .cache/reference
	cp adapters/httpapi/reference/package.json adapters/httpapi/reference/package-lock.json .cache/reference
	cd .cache/reference && npm ci --ignore-scripts --no-audit --no-fund
	gzip -9nc .cache/reference/node_modules/@scalar/api-reference/dist/browser/standalone.js > adapters/httpapi/reference/assets/scalar.js.gz
	sha256sum .cache/reference/node_modules/@scalar/api-reference/dist/browser/standalone.js # for reference_test.go

.PHONY: charts
charts: ## Copy the library of the teaching app into the source, in the version that its package.json names
	mkdir -p .cache/charts
	cp adapters/web/teaching/package.json adapters/web/teaching/package-lock.json .cache/charts
	cd .cache/charts && npm ci --ignore-scripts --no-audit --no-fund
	gzip -9nc .cache/charts/node_modules/chart.js/dist/chart.umd.min.js > adapters/web/teaching/assets/chart.js.gz
	sha256sum .cache/charts/node_modules/chart.js/dist/chart.umd.min.js # for pages_test.go

.PHONY: tidy-check
tidy-check: ## Check that all go.mod and go.sum files are tidy
	$(GO) mod tidy -diff
	$(GO) -C test/tools/lint mod tidy -diff
	$(GO) -C test/tools/release mod tidy -diff
	$(GO) -C sdk/go mod tidy -diff
	$(GO) -C examples/webhook-receiver mod tidy -diff
	$(GO) -C test/e2e/acme mod tidy -diff
	$(GO) -C test/e2e/sso mod tidy -diff
	$(GO) -C test/e2e/deploy mod tidy -diff
	$(GO) -C examples/academy mod tidy -diff
	$(GO) -C examples/testing mod tidy -diff
	$(GO) -C examples/warehouse mod tidy -diff

.PHONY: size
size: ## Report the sizes of the source files
	@find . -name '*.go' ! -name '*_test.go' ! -path './test/*' ! -path './.cache/*' ! -name '*.gen.go' -exec wc -l {} + | grep -v total | sort -n | awk \
	  '{n[NR]=$$1; f[NR]=$$2} END {printf "%d files, median %d lines, longest %d (%s)\n", NR, n[int((NR+1)/2)], n[NR], f[NR]}'

.PHONY: ci
ci: ## Run the checks that every change must pass
	./.ci/run
