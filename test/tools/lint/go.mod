module lyceum/test/tools/lint

go 1.26.0

tool mvdan.cc/gofumpt

require (
	codeberg.org/polyfloyd/go-errorlint v1.9.0
	github.com/Antonboom/errname v1.1.2
	github.com/ashanbrown/forbidigo/v2 v2.3.1
	github.com/golangci/misspell v0.8.0
	github.com/golangci/rowserrcheck v0.0.0-20261005233414-e0740d52dee8
	github.com/golangci/unconvert v0.0.0-20250410112200-a129a6e6413e
	github.com/gordonklaus/ineffassign v0.2.0
	github.com/gostaticanalysis/nilerr v0.1.2
	github.com/kisielk/errcheck v1.30.0
	github.com/ldez/usetesting v0.5.0
	github.com/ryanrolds/sqlclosecheck v0.6.0
	github.com/sanposhiho/wastedassign/v2 v2.1.0
	github.com/sonatard/noctx v0.5.1
	github.com/tetafro/godot v1.5.6
	github.com/timakin/bodyclose v0.0.0-20260723120731-857993a2939c
	golang.org/x/tools v0.52.0
	honnef.co/go/tools v0.8.2
	mvdan.cc/unparam v0.0.0-20260823230713-2fa3d841b0c8
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/gostaticanalysis/analysisutil v0.7.1 // indirect
	github.com/gostaticanalysis/comment v1.5.0 // indirect
	go.yaml.in/yaml/v3 v3.0.4 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.32.0 // indirect
	golang.org/x/tools/go/packages/packagestest v0.1.1-deprecated // indirect
	mvdan.cc/gofumpt v0.12.0 // indirect
)
