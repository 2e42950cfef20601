package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// compile builds the server program for a platform.
func (r release) compile(goos, goarch, program string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	const cli = "lyceum/cmd/cli"
	flags := fmt.Sprintf("-s -w -X %s.version=%s -X %s.commit=%s -X %s.date=%s",
		cli, r.version, cli, r.commit, cli, r.date.Format(time.RFC3339))
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "nomsgpack", "-ldflags", flags, "-o", program, "./cmd/lyceum")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	return runQuietly(cmd)
}

// listModules writes the list of the modules in a program. Its component hashes are those of go.sum.
func (r release) listModules(program, file string) error {
	return runQuietly(exec.Command("go", "tool", "cyclonedx-gomod", "bin", "-json", "-std", "-noserial", "-notimestamp",
		"-version", r.version, "-output", file, program))
}

// runQuietly runs a command. Its output becomes part of the error.
func runQuietly(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd.Args[:3], err, out)
	}
	return nil
}
