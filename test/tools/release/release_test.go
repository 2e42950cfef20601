package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

const root = "../../.."

// TestRelease builds the release for this machine twice, the second time from a checkout with
// another path. The bytes must be equal, and the archive must contain everything.
func TestRelease(t *testing.T) {
	is := is.New(t)
	out, again, other := filepath.Join(t.TempDir(), "dist"), filepath.Join(t.TempDir(), "dist"), filepath.Join(t.TempDir(), "checkout")
	absolute, err := filepath.Abs(root)
	is.NoErr(err)
	is.NoErr(os.Symlink(absolute, other))
	platform := runtime.GOOS + "/" + runtime.GOARCH
	is.NoErr(run(root, out, "v1.2.3", "abc", "2026-11-26T08:00:00+01:00", []string{platform}))
	is.NoErr(run(other, again, "v1.2.3", "abc", "2026-11-26T08:00:00+01:00", []string{platform}))
	sums := read(t, filepath.Join(out, "SHA256SUMS"))
	is.Equal(sums, read(t, filepath.Join(again, "SHA256SUMS")))
	is.Equal(strings.Count(sums, "\n"), 2) // archive and list of modules

	name := "lyceum_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH
	files := untar(t, filepath.Join(out, name+".tar.gz"))
	for _, want := range []string{"LICENSE", "README.md", "CHANGELOG.md", "deploy/lyceum.service", "deploy/compose.yaml"} {
		is.True(len(files[name+"/"+want]) > 0) // the archive has the file
	}
	program := filepath.Join(t.TempDir(), "lyceum")
	is.NoErr(os.WriteFile(program, files[name+"/lyceum"], 0o700))
	version, err := exec.Command(program, "version").Output()
	is.NoErr(err)
	is.True(strings.HasPrefix(string(version), "lyceum 1.2.3\ncommit abc\ncommitted 2026-11-26T07:00:00Z\n"))

	var list struct {
		Components []struct{ Name, Version string }
	}
	is.NoErr(json.Unmarshal([]byte(read(t, filepath.Join(out, name+".cdx.json"))), &list))
	listed := map[string]bool{}
	for _, c := range list.Components {
		listed[c.Name+" "+c.Version] = true
	}
	info, err := buildinfo.ReadFile(program)
	is.NoErr(err)
	licenses := string(files[name+"/THIRD_PARTY_LICENSES.txt"])
	for _, m := range info.Deps {
		if !listed[m.Path+" "+m.Version] {
			t.Errorf("the list does not contain %s %s", m.Path, m.Version)
		}
		if !strings.Contains(licenses, "== "+m.Path+" "+m.Version+": ") {
			t.Errorf("no license of %s", m.Path)
		}
	}
}

func TestModuleWithoutLicense(t *testing.T) {
	is.New(t).True(appendLicenses(&bytes.Buffer{}, "m", t.TempDir()) != nil)
}

func TestZipIsReproducible(t *testing.T) {
	is := is.New(t)
	files := []file{{"a", 0o644, []byte("text")}, {"lyceum.exe", 0o755, []byte("program")}}
	at := time.Date(2026, 11, 26, 7, 0, 0, 0, time.UTC)
	var first, second bytes.Buffer
	is.NoErr(writeZip(&first, "lyceum", files, at))
	is.NoErr(writeZip(&second, "lyceum", files, at))
	is.Equal(first.Bytes(), second.Bytes())
	archive, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	is.NoErr(err)
	is.Equal(archive.File[1].Name, "lyceum/lyceum.exe")
	is.Equal(archive.File[1].Mode(), os.FileMode(0o755))
	is.True(archive.File[1].Modified.Equal(at))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// untar returns the files of an archive by name.
func untar(t *testing.T, path string) map[string][]byte {
	t.Helper()
	plain, err := gzip.NewReader(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(plain); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}
