package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Build information, set by the release build with the linker flag -X.
var (
	version = ""
	commit  = ""
	date    = ""
)

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(t terminal) error {
	_, err := fmt.Fprintln(t.out, buildInfo())
	return err
}

// buildInfo returns the version, the commit, the date of the build and the platform, in lines.
func buildInfo() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("lyceum %s\ncommit %s\nbuilt  %s\n%s %s/%s",
		buildValue(version, info, ""), buildValue(commit, info, "vcs.revision"), buildValue(date, info, "vcs.time"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildValue returns set, the value from the linker, if it is not blank; otherwise the value that
// the Go tool recorded under key, or the module's version if key is blank.
func buildValue(set string, info *debug.BuildInfo, key string) string {
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
