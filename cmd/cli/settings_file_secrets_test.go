package cli

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A secret that YAML reads as something other than text does not appear in the error.
func TestSettingsFileErrorsHideSecrets(t *testing.T) {
	for _, begin := range []string{"*", "|", ">", "&a *", "!", "!!int ", "@", "`", "%", "{", "{a: ", "[{", "\"\\", "'", "- ", "? ", "<<: *", "x: y: "} {
		t.Run(begin, func(t *testing.T) {
			name := write(t, "lyceum.yaml", "files:\n  secret: "+begin+"hunter2-hunter2-hunter2-hunter2-hunter2\n")
			for _, command := range [][]string{{"config", "show"}, {"doctor"}, {"serve", "--addr=x"}} {
				is := is.New(t)
				_, stdout, stderr := lyceum(t, nil, append(command, "--config="+name)...)
				is.True(stdout+stderr != "")
				is.True(!strings.Contains(stdout+stderr, "hunter"))
			}
		})
	}
}
