package deploy_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// lyceum builds the server program, runs it and returns its output.
func lyceum(t *testing.T, args ...string) (string, error) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "lyceum")
	build := exec.Command("go", "build", "-tags", "nomsgpack", "-o", program, "./cmd/lyceum")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	return string(out), err
}
