package main

import (
	"encoding/json"
	"os"
	"strings"
)

// foreign tells whether go vet wants only to know what the importers of a package
// need to know of it, and the package is not the project's own. Its types are
// enough then: all else that analyzers learn from dependencies takes longer to
// collect than the checks take.
func foreign(file string) bool {
	text, err := os.ReadFile(file)
	var unit struct {
		ImportPath string
		VetxOnly   bool
	}
	if err != nil || json.Unmarshal(text, &unit) != nil {
		return false // it is a flag, or unitchecker says what is wrong
	}
	return unit.VetxOnly && !strings.HasPrefix(unit.ImportPath, "lyceum/")
}
