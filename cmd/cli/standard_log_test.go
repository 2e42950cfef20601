package cli

import (
	"bytes"
	"log"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Messages of the standard logger are in the form of the log, without what other servers sent.
func TestStandardLog(t *testing.T) {
	is := is.New(t)
	flags := log.Flags()
	t.Cleanup(func() { log.SetFlags(flags); log.SetOutput(os.Stderr) })
	var out bytes.Buffer
	redirectStandardLog(slog.New(slog.NewJSONHandler(&out, nil)))
	log.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=%v", `{"first_name":"Ada"}`, nil)
	log.Print("of ada@example.test")
	is.True(strings.Contains(out.String(), `"error":"Unsolicited response received on idle HTTP channel"}`))
	is.True(strings.Contains(out.String(), `"error":"of …"}`))
	is.True(!strings.Contains(out.String(), "Ada"))
}
