package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// A signal ends a command that waits for input, even if its standard input stays open.
func TestSignalEndsPrompt(t *testing.T) {
	dsn := pgtest.Exclusive(t)
	env := onPostgres(t, dsn)
	must(t, env, "school", "create", "--name=Old")
	for _, tt := range []struct{ name, args, prompt string }{
		{"delete", "school delete Old --files.dir=" + t.TempDir(), "Type the name of the school to delete it: "},
		{"rename", "school rename Old New", "Type yes: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			exe, err := os.Executable()
			is.NoErr(err)
			cmd := exec.CommandContext(t.Context(), exe, strings.Fields(tt.args)...)
			cmd.Env = append(os.Environ(), asProcess+"=yes")
			for name, value := range env {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			in, err := cmd.StdinPipe()
			is.NoErr(err)
			defer func() { _ = in.Close() }()
			pipe, err := cmd.StderrPipe()
			is.NoErr(err)
			is.NoErr(cmd.Start())
			var stderr bytes.Buffer
			for one := make([]byte, 1); !strings.HasSuffix(stderr.String(), tt.prompt); stderr.Write(one) {
				_, err := io.ReadFull(pipe, one)
				is.NoErr(err)
			}
			is.NoErr(cmd.Process.Signal(os.Interrupt))
			rest, err := io.ReadAll(pipe)
			is.NoErr(err)
			is.True(strings.HasSuffix(string(rest), ": interrupted: nothing was changed\n"))
			var exit *exec.ExitError
			is.True(errors.As(cmd.Wait(), &exit))
			is.Equal(exit.ExitCode(), 130)
		})
	}
}
