package arch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
)

// The width of a comment on a line of its own, in columns. The test logs wider comments, and fails
// for comments that are much wider.
const commentWidth, maxCommentWidth = 100, 110

// TestCommentWidth enforces the width of comments in docs/style.md, section 3.
func TestCommentWidth(t *testing.T) {
	is := is.New(t)
	root, checked := rootOf(t), 0
	for _, s := range repository(t).sources {
		if s.lines == 0 {
			continue // generated
		}
		text, err := os.ReadFile(filepath.Join(root, s.path))
		is.NoErr(err)
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if width, ok := widthOf(strings.TrimRight(line, "\n")); ok {
				checked++
				switch at := fmt.Sprintf("%s:%d", s.path, number); {
				case width > maxCommentWidth:
					t.Errorf("%s: the comment has %d columns, want at most %d", at, width, commentWidth)
				case width > commentWidth:
					t.Logf("%s: the comment has %d columns, want at most %d", at, width, commentWidth)
				}
			}
		}
	}
	is.True(checked > 10_000)
	width, ok := widthOf("\t// 17 columns")
	is.True(ok && width == 17)
	for _, line := range []string{"x := 1 // after code", "//go:build directive", "//\tcode in a comment"} {
		_, ok := widthOf(line)
		is.True(!ok) // line is ignored
	}
}

// widthOf returns the width of a line, in which a tab has four columns, and reports whether the
// line consists of a comment. It ignores directives and code in comments.
func widthOf(line string) (int, bool) {
	comment := strings.TrimLeft(line, "\t")
	return 4*(len(line)-len(comment)) + utf8.RuneCountInString(comment), strings.HasPrefix(comment, "// ")
}
