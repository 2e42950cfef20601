package main

import (
	"fmt"

	"github.com/ashanbrown/forbidigo/v2/pkg/analyzer"
	"golang.org/x/tools/go/analysis"
)

// unwanted lists names that the code must not use, and their replacements.
var unwanted = []struct{ name, instead string }{
	{`^time\.(Now|Since|Until)$`, "take the time from ports.Clock, or as an argument"},
	{`^uuid\.(New|NewV7|NewRandom|NewString|NewUUID)$`, "take ids from ports.IDs, or as an argument"},
	{`^fmt\.Print(f|ln)?$`, "write to the writer that the command was given"},
	{`^http\.(DefaultClient|Get|Post|Head)$`, "a client needs a time limit of its own"},
}

func forbidden() *analysis.Analyzer {
	a := analyzer.NewAnalyzer()
	set(a, "analyze_types", "true")
	set(a, "permit", "false")
	for _, u := range unwanted {
		set(a, "p", fmt.Sprintf("{p: '%s', msg: '%s'}", u.name, u.instead))
	}
	return a
}

func set(a *analysis.Analyzer, name, value string) {
	if err := a.Flags.Set(name, value); err != nil {
		panic(err) // an error in this program
	}
}
