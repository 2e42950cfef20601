package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds the program in the folder source of this module with the flags of a release.
func Build(ctx context.Context, path, source string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-tags", "nomsgpack", "-ldflags", "-s -w", "-o", path, source)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w", source, err)
	}
	return nil
}

// Output runs a program to its end and returns its standard output without surrounding spaces. An
// error contains its standard error.
func Output(ctx context.Context, program string, env []string, args ...string) (string, error) {
	var out, faults bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), &out, &faults
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, &faults)
	}
	return strings.TrimSpace(out.String()), nil
}
