package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// licenseFile matches the names of files with the license of a module.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)(\.(md|txt))?$`)

// licenses returns the licenses of Go, of all modules in a program, and of the embedded assets. A
// module without a license is an error.
func (r release) licenses(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	folders, err := r.moduleFolders()
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	if err := appendLicenses(&all, "The Go standard library, "+info.GoVersion, string(bytes.TrimSpace(goroot))); err != nil {
		return nil, err
	}
	if err := appendLicenses(&all, "The reference page", filepath.Join(r.root, "adapters/httpapi/reference/assets")); err != nil {
		return nil, err
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if err := appendLicenses(&all, m.Path+" "+m.Version, folders[m.Path+"@"+m.Version]); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

// appendLicenses appends a title and the license files of a folder.
func appendLicenses(all *bytes.Buffer, title, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("%s: %w", title, err)
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !licenseFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(all, "== %s: %s\n\n%s\n\n", title, e.Name(), bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
	}
	if !found {
		return fmt.Errorf("%s: no license in %s", title, folder)
	}
	return nil
}

// moduleFolders returns the folders of the modules by path@version.
func (r release) moduleFolders() (map[string]string, error) {
	cmd := exec.Command("go", "list", "-m", "-json", "-mod=readonly", "all")
	cmd.Dir = r.root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	folders := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return folders, nil
		} else if err != nil {
			return nil, err
		}
		folders[m.Path+"@"+m.Version] = m.Dir
	}
}
