//go:build linux

package image_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// buildah is an installation of buildah with a store of its own.
type buildah struct {
	t     *testing.T
	flags []string
}

func newBuildah(t *testing.T) buildah {
	t.Helper()
	dir, err := os.MkdirTemp("", "lyceum-image-") //lint:ignore usetesting another user must be able to enter the directory
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return buildah{t, []string{"--storage-driver", "vfs", "--root", filepath.Join(dir, "root"), "--runroot", filepath.Join(dir, "run")}}
}

func (b buildah) command(args ...string) *exec.Cmd {
	return exec.Command("buildah", append(b.flags[:len(b.flags):len(b.flags)], args...)...)
}

// run runs a command of buildah and returns its output.
func (b buildah) run(args ...string) string {
	b.t.Helper()
	cmd := b.command(args...)
	cmd.Stderr = b.t.Output()
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("buildah %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// image is the configuration of an image in the format of Docker.
type image struct {
	Architecture string
	Config       struct {
		User            string
		Env             []string
		Entrypoint, Cmd []string
		Healthcheck     struct{ Test []string }
	}
}

func (b buildah) inspect(name string) image {
	b.t.Helper()
	var i struct{ Docker image }
	if err := json.Unmarshal([]byte(b.run("inspect", "--type", "image", name)), &i); err != nil {
		b.t.Fatal(err)
	}
	return i.Docker
}
