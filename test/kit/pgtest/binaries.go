package pgtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// binaries returns the directory of the server's programs. If they are missing, it installs them if
// possible.
func binaries(ctx context.Context) (string, error) {
	if dir, ok := findPrograms(); ok {
		return dir, nil
	}
	if err := install(ctx, "postgresql"); err != nil {
		return "", fmt.Errorf("neither initdb and postgres on the PATH nor /usr/lib/postgresql/*/bin: %w", err)
	}
	if dir, ok := findPrograms(); ok {
		return dir, nil
	}
	return "", errors.New("apt-get install postgresql brought no server")
}

// install installs a Debian package.
func install(ctx context.Context, name string) error {
	aptGet, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return fmt.Errorf("%s cannot be installed: this is not root on a machine with apt-get", name)
	}
	cmd := exec.CommandContext(ctx, aptGet, "install", "-y", "--no-install-recommends", name)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get install %s: %w: %s", name, err, lastLine(out))
	}
	return nil
}

// findPrograms searches the PATH and the directories of Debian's packages for the programs. It
// prefers the PATH, and then the newest version.
func findPrograms() (string, bool) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil && complete(filepath.Dir(real)) {
			return filepath.Dir(real), true // initdb on the PATH is a link to a directory with all programs
		}
		if complete(filepath.Dir(path)) {
			return filepath.Dir(path), true
		}
	}
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well-formed
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !complete(dir) })
	if len(dirs) == 0 {
		return "", false
	}
	return slices.MaxFunc(dirs, func(a, b string) int { return cmp.Compare(version(a), version(b)) }), true
}

func complete(dir string) bool {
	for _, program := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(dir, program)); err != nil {
			return false
		}
	}
	return true
}

func version(dir string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir))) // a name that is not a number counts as the oldest version
	return n
}
