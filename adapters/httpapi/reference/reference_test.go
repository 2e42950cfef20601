package reference_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/reference"
)

// published is the SHA-256 of dist/browser/standalone.js in the version of
// @scalar/api-reference in package.json. Update both together.
const (
	version   = "1.72.1"
	published = "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c"
)

func files(t *testing.T, root string) (page string, names []string, r *reference.Reference) {
	t.Helper()
	r, err := reference.New(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`/docs/([a-z]+-[0-9a-f]{16}\.[a-z]+)"`).FindAllStringSubmatch(string(r.Page), -1) {
		names = append(names, m[1])
	}
	return string(r.Page), names, r
}

func TestLibraryIsAsPublished(t *testing.T) {
	is := is.New(t)
	_, names, r := files(t, "")
	found := false
	for _, name := range names {
		if !strings.HasPrefix(name, "scalar-") {
			continue
		}
		found = true
		f, ok := r.File(name)
		is.True(ok)
		plain, err := f.Plain()
		is.NoErr(err)
		sum := sha256.Sum256(plain)
		is.Equal(hex.EncodeToString(sum[:]), published)
		is.True(strings.Contains(string(plain), version))
		zipped, ok := f.Stored()
		is.True(ok)
		is.True(len(zipped) < len(plain)/3)
	}
	is.True(found)

	var wanted struct{ Dependencies map[string]string }
	var locked struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	read(t, "package.json", &wanted)
	read(t, "package-lock.json", &locked)
	is.Equal(wanted.Dependencies, map[string]string{"@scalar/api-reference": version})
	is.Equal(locked.Packages["node_modules/@scalar/api-reference"].Version, version)
	is.True(strings.HasPrefix(locked.Packages["node_modules/@scalar/api-reference"].Integrity, "sha512-"))
	notice, err := os.ReadFile("assets/NOTICE")
	is.NoErr(err)
	is.True(strings.Contains(string(notice), "@scalar/api-reference "+version+","))
}

func TestPageLoadsOnlyItsOwnFiles(t *testing.T) {
	is := is.New(t)
	page, names, r := files(t, "/api")
	is.Equal(len(names), 3)
	for _, name := range names {
		f, ok := r.File(name)
		is.True(ok)
		is.True(f.Type != "")
	}
	for _, m := range regexp.MustCompile(`(?:src|href|data-document)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		is.True(strings.HasPrefix(m[1], "/api/") || m[1] == "data:,") // the URL is below the root
	}
	is.True(!regexp.MustCompile(`<script(>| [^>]*[^/]>[^<])|<style| style=| on[a-z]+=`).MatchString(page)) // no inline scripts, styles or event handlers
	_, ok := r.File("page.html")
	is.True(!ok)
}

// A file is decompressed once for all clients.
func TestPlainUnpacksOnce(t *testing.T) {
	is := is.New(t)
	_, names, r := files(t, "")
	for _, name := range names {
		f, ok := r.File(name)
		is.True(ok)
		size := f.Size()
		plain, err := f.Plain()
		is.NoErr(err)
		is.Equal(len(plain), size)
		is.Equal(testing.AllocsPerRun(10, func() {
			same, _ := r.File(name)
			again, err := same.Plain()
			if err != nil || &again[0] != &plain[0] {
				t.Errorf("%s is unpacked again", name)
			}
			_ = same.Size()
		}), 0.0)
	}
}

func TestFileNameHasContentHash(t *testing.T) {
	is := is.New(t)
	_, first, _ := files(t, "")
	_, again, _ := files(t, "/elsewhere")
	is.Equal(first, again)
}

func read(t *testing.T, file string, to any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
