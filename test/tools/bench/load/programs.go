package main

import (
	"cmp"
	"context"
	"path/filepath"

	"lyceum/test/tools/bench/program"
)

// programs contains the paths of the built programs.
type programs struct{ lyceum, bare, load string }

// build builds the server with the flags of a release, and the other two programs. If built is not
// blank, it is a folder that contains them already.
func build(ctx context.Context, dir, built string) (programs, error) {
	dir = cmp.Or(built, dir)
	p := programs{filepath.Join(dir, "lyceum"), filepath.Join(dir, "bare"), filepath.Join(dir, "load")}
	if built != "" {
		return p, nil
	}
	for path, source := range map[string]string{p.lyceum: "./cmd/lyceum", p.bare: "./test/tools/bench/bare", p.load: "./test/tools/bench/load"} {
		if err := program.Build(ctx, path, source); err != nil {
			return p, err
		}
	}
	return p, nil
}
