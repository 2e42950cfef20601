package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// release is a release to build.
type release struct {
	root    string // the checkout
	out     string // folder of the archives
	version string
	commit  string
	date    time.Time // time of the commit, which all files in the archives have
}

func main() {
	root := flag.String("root", ".", "folder of the checkout")
	out := flag.String("out", "dist", "folder to write")
	version := flag.String("version", "dev", "version of the release")
	commit := flag.String("commit", "unknown", "commit of the release")
	date := flag.String("date", "", "time of the commit, in RFC 3339")
	platforms := flag.String("platforms", "", "platforms as os/architecture, separated by commas")
	flag.Parse()
	if err := run(*root, *out, *version, *commit, *date, strings.Split(*platforms, ",")); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root, out, version, commit, date string, platforms []string) error {
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}
	r := release{root: root, out: out, version: strings.TrimPrefix(version, "v"), commit: commit, date: at.UTC()}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for _, platform := range platforms {
		goos, goarch, ok := strings.Cut(platform, "/")
		if !ok {
			return fmt.Errorf("%q is not a platform, such as linux/amd64", platform)
		}
		if err := r.build(goos, goarch); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return writeSums(out)
}

// build builds the archive of one platform and the list of its modules.
func (r release) build(goos, goarch string) error {
	name := fmt.Sprintf("lyceum_%s_%s_%s", r.version, goos, goarch)
	program := filepath.Join(r.out, "programs", goos+"_"+goarch, "lyceum")
	if goos == "windows" {
		program += ".exe"
	}
	if err := r.compile(goos, goarch, program); err != nil {
		return err
	}
	if err := r.listModules(program, filepath.Join(r.out, name+".cdx.json")); err != nil {
		return err
	}
	licenses, err := r.licenses(program)
	if err != nil {
		return err
	}
	files, err := r.contents(program, licenses)
	if err != nil {
		return err
	}
	write, ending := writeTarGz, ".tar.gz"
	if goos == "windows" {
		write, ending = writeZip, ".zip"
	}
	f, err := os.Create(filepath.Join(r.out, name+ending))
	if err != nil {
		return err
	}
	if err := write(f, name, files, r.date); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
