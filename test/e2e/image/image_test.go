//go:build linux

package image_test

import (
	"flag"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

var withBuildah = flag.Bool("buildah", false, "run the tests that need the programs buildah and qemu-aarch64-static")

// TestImage builds the images for amd64 and arm64 and runs them: that of this machine's processor
// in the container, the program of the other with QEMU.
func TestImage(t *testing.T) {
	if !*withBuildah {
		t.Skip("needs the flag -buildah; make test-image sets it")
	}
	b := newBuildah(t)
	for arch, emulator := range map[string]string{"amd64": "qemu-x86_64-static", "arm64": "qemu-aarch64-static"} {
		t.Run(arch, func(t *testing.T) {
			is := is.New(t)
			b.t = t
			stages := buildStage(t, arch)
			b.run("build", "--isolation", "chroot", "--format", "docker", "--platform", "linux/"+arch, "--build-context", "build="+stages,
				"--file", filepath.Join(stages, "Dockerfile"), "--tag", arch, stages)
			i := b.inspect(arch)
			is.Equal(i.Architecture, arch)
			is.Equal(i.Config.User, "65532:65532")
			is.Equal(i.Config.Entrypoint, []string{"/lyceum"})
			is.Equal(i.Config.Cmd, []string{"serve"})
			is.Equal(i.Config.Healthcheck.Test, []string{"CMD", "/lyceum", "healthcheck"})

			container := b.run("from", arch)
			root := b.run("mount", container)
			info, err := os.Stat(filepath.Join(root, "files"))
			is.NoErr(err)
			is.True(ownedBy(info, 65532))
			lyceum := func(args ...string) *exec.Cmd {
				return exec.Command(emulator, append([]string{root + "/lyceum"}, args...)...)
			}
			if arch == runtime.GOARCH {
				lyceum = func(args ...string) *exec.Cmd {
					return b.command(append([]string{"run", "--isolation", "chroot", container, "--", "/lyceum"}, args...)...)
				}
			}
			checkProgram(t, lyceum, arch)
		})
	}
}

// checkProgram runs the program of an image, serves from memory, and runs the health check.
func checkProgram(t *testing.T, lyceum func(args ...string) *exec.Cmd, arch string) {
	t.Helper()
	is := is.New(t)
	version, err := lyceum("version").Output()
	is.NoErr(err)
	is.True(strings.HasSuffix(strings.TrimSpace(string(version)), "linux/"+arch))
	addr := freeAddr(t)
	is.True(lyceum("healthcheck", "--addr", addr).Run() != nil) // nothing listens
	server := lyceum("serve", "--addr", addr, "--demo")
	server.Stdout, server.Stderr, server.SysProcAttr = t.Output(), t.Output(), group()
	is.NoErr(server.Start())
	t.Cleanup(func() {
		interruptGroup(server.Process.Pid)
		_ = server.Wait()
	})
	deadline := time.Now().Add(2 * time.Minute) // the emulator is slow
	for lyceum("healthcheck", "--addr", addr).Run() != nil {
		if time.Now().After(deadline) {
			t.Fatal("the health check fails")
		}
		time.Sleep(100 * time.Millisecond)
	}
	response, err := http.Get("http://" + addr + "/readyz")
	is.NoErr(err)
	is.NoErr(response.Body.Close())
	is.Equal(response.StatusCode, http.StatusOK)
}

// buildStage returns a directory with the files that the stage build of the Dockerfile would have,
// and with a Dockerfile that contains only the stage after it.
func buildStage(t *testing.T, arch string) string {
	t.Helper()
	is := is.New(t)
	dir := t.TempDir()
	text, err := os.ReadFile("../../../docs/deploy/Dockerfile")
	is.NoErr(err)
	_, stage, found := strings.Cut(string(text), "\nFROM scratch\n")
	is.True(found)
	certificates := filepath.Join(dir, "etc/ssl/certs")
	for _, folder := range []string{certificates, filepath.Join(dir, "out/files")} {
		is.NoErr(os.MkdirAll(folder, 0o755))
	}
	trusted, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	is.NoErr(err)
	for name, text := range map[string]string{
		"Dockerfile": "FROM scratch\n" + stage, "etc/ssl/certs/ca-certificates.crt": string(trusted), "out/passwd": "lyceum:x:65532:65532::/:/none\n",
	} {
		is.NoErr(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	build := exec.Command("go", "build", "-trimpath", "-tags", "nomsgpack", "-ldflags", "-s -w", "-o", filepath.Join(dir, "out/lyceum"), "lyceum/cmd/lyceum")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// freeAddr returns a loopback address with a free port.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
