package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// What the build is; the release build sets these with the linker's -X.
var (
	version = ""
	commit  = ""
	date    = ""
)

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(t terminal) error {
	info, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprintf(t.out, "lyceum %s\ncommit %s\nbuilt  %s\n%s %s/%s\n",
		stamped(version, info, ""), stamped(commit, info, "vcs.revision"), stamped(date, info, "vcs.time"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// stamped returns what the linker set, or else what the Go tool recorded under
// key; without a key that is the module's version.
func stamped(set string, info *debug.BuildInfo, key string) string {
	switch {
	case set != "":
		return set
	case info == nil:
		return "unknown"
	case key == "" && info.Main.Version != "":
		return info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return "unknown"
}
