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
	_, err := fmt.Fprintln(t.out, buildInfo(t.program))
	return err
}

// buildInfo returns the name and version of the program, the commit, the date of the commit and the
// platform, one per line.
func buildInfo(program string) string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("%s %s\ncommit %s\ncommitted %s\n%s %s/%s", program,
		buildVersion(), buildValue(commit, info, "vcs.revision"), buildValue(date, info, "vcs.time"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildVersion returns the version of the program.
func buildVersion() string {
	info, _ := debug.ReadBuildInfo()
	return buildValue(version, info, "")
}

// buildValue returns set, which the linker sets, unless it is blank. Otherwise it returns the value
// that the Go tool recorded under key or, if key is blank, the module's version.
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
