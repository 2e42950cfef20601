package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name string // path in the archive, with slashes
	mode os.FileMode
	data []byte
}

// contents returns the files of an archive, sorted by name.
func (r release) contents(program string, licenses []byte) ([]file, error) {
	files := []file{{name: "THIRD_PARTY_LICENSES.txt", mode: 0o644, data: licenses}}
	deploy, err := filepath.Glob(filepath.Join(r.root, "docs/deploy/*"))
	if err != nil {
		return nil, err
	}
	for _, path := range append(deploy, filepath.Join(r.root, "LICENSE"), filepath.Join(r.root, "README.md"), filepath.Join(r.root, "CHANGELOG.md"), program) {
		f := file{name: filepath.Base(path), mode: 0o644}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			if err != nil {
				return nil, err
			}
			continue
		}
		if path == program {
			f.mode = 0o755
		}
		if slices.Contains(deploy, path) {
			f.name = "deploy/" + f.name
		}
		if f.data, err = os.ReadFile(path); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// writeTarGz writes an archive whose files are in one folder and have the given time.
func writeTarGz(w io.Writer, folder string, files []file, at time.Time) error {
	compressed := gzip.NewWriter(w)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{
			Name: path.Join(folder, f.name), Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.data); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// writeZip is writeTarGz for the format zip.
func writeZip(w io.Writer, folder string, files []file, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		to, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}

// writeSums writes SHA256SUMS for the files in a folder, in the format of sha256sum.
func writeSums(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), e.Name())
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
