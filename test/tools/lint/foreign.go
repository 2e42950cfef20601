package main

import (
	"encoding/json"
	"os"
	"strings"
)

// foreign reports whether file is the go vet configuration of a package of another module that is
// analyzed only for its importers. The command finds only deprecated names in such packages, because
// collecting all facts about dependencies takes longer than the checks.
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
