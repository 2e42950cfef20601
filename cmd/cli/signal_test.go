package cli

import (
	"bufio"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// launch starts the command in a separate process and returns the process and the address on which
// it listens.
func launch(t *testing.T, args ...string) (*exec.Cmd, string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), asProcess+"=yes")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(strings.TrimPrefix(line, greeting))
}

func TestSignalStopsServer(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			is := is.New(t)
			cmd, _ := launch(t, "serve", free)
			is.NoErr(cmd.Process.Signal(signal))
			is.NoErr(cmd.Wait()) // exit code 0
		})
	}
}

// A second signal skips the graceful shutdown.
func TestSecondSignalEndsProcess(t *testing.T) {
	is := is.New(t)
	cmd, url := launch(t, "serve", free, "--shutdown.delay=1h")
	is.NoErr(cmd.Process.Signal(syscall.SIGTERM))
	var status int
	for deadline := time.Now().Add(20 * time.Second); status != http.StatusServiceUnavailable; {
		if time.Now().After(deadline) {
			t.Fatal("readiness never said no")
		}
		var err error
		status, _, err = get(t.Context(), url+"/readyz", "")
		is.NoErr(err) // the server still responds
	}
	is.NoErr(cmd.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	is.True(errors.As(cmd.Wait(), &exit))
	is.Equal(exit.Sys().(syscall.WaitStatus).Signal(), syscall.SIGTERM) // ended by the signal, not by exiting
}
