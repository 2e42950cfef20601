package main

import (
	"encoding/json"
	"os"
	"strings"
)

// foreign reports whether go vet analyzes a package of another module only for its importers. Such
// a package needs only its types. Collecting other facts about dependencies takes longer than the
// checks.
func foreign(file string) bool {
	text, err := os.ReadFile(file)
	var unit struct {
		ImportPath string
		VetxOnly   bool
	}
	if err != nil || json.Unmarshal(text, &unit) != nil {
		return false // the argument is a flag, or unitchecker reports the error
	}
	return unit.VetxOnly && !strings.HasPrefix(unit.ImportPath, "lyceum/")
}
