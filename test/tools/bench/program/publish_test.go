package program_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/tools/bench/program"
)

func TestPublish(t *testing.T) {
	t.Parallel()
	const other = "<!-- table: make bench-other writes the text below -->\n\nkept\n\n<!-- end of the table -->\n"
	const begin = "<!-- table: make bench-one writes the text below -->\n"
	for _, one := range []struct {
		name, page, want string
		fails            bool
	}{
		{
			"a table between two others is replaced",
			other + "text\n" + begin + "old\n<!-- end of the table -->\n" + other,
			other + "text\n" + begin + "\nnew\n\n<!-- end of the table -->\n" + other, false,
		},
		{"a page without the table is not changed", other, other, true},
		{"a table without an end is not changed", begin + "old\n", begin + "old\n", true},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			file := filepath.Join(t.TempDir(), "page.md")
			is.NoErr(os.WriteFile(file, []byte(one.page), 0o600))
			err := program.Publish(file, "bench-one", "new\n")
			is.Equal(err != nil, one.fails)
			got, err := os.ReadFile(file)
			is.NoErr(err)
			is.Equal(string(got), one.want)
		})
	}
}
