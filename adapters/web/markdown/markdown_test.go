package markdown_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/web/markdown"
)

func TestHTML(t *testing.T) {
	const rel = ` rel="nofollow noreferrer"`
	shown := func(address string) bool { return strings.HasPrefix(address, "https://media.example.test/") }
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"words", "*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>"},
		{"characters", `a < b & "c"`, `<p>a &lt; b &amp; &#34;c&#34;</p>`},
		{"headings", "# A\n### B\n# C", "<h2>A</h2>\n<h3>B</h3>\n<h2>C</h2>"},
		{"headings from the third level", "### A\n###### B", "<h2>A</h2>\n<h3>B</h3>"},
		{"a numbered list", "3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>"},
		{"a link", "[a](https://b.test/?c=1&d \"e\")", `<p><a href="https://b.test/?c=1&amp;d"` + rel + `>a</a></p>`},
		{"an address", "see https://b.test/c.", `<p>see <a href="https://b.test/c"` + rel + `>https://b.test/c</a>.</p>`},
		{"a table", "|a|b|\n|:-|-|\n|1|2|", "<table>\n<thead>\n<tr>\n<th align=\"left\">a</th>\n<th>b</th>\n</tr>\n</thead>\n" +
			"<tbody>\n<tr>\n<td align=\"left\">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>"},
		{"a code block", "```html\n<b>\n```", "<pre><code>&lt;b&gt;\n</code></pre>"},
		{"an image that is shown", "![a \"b\"](https://media.example.test/a.png)", `<p><img src="https://media.example.test/a.png" alt="a &#34;b&#34;"></p>`},
		{"another image", "![a *b*](https://b.test/a.png)", `<p><a href="https://b.test/a.png"` + rel + `>a <em>b</em></a></p>`},
		{"an image without words", "![](https://b.test/a.png)", `<p><a href="https://b.test/a.png"` + rel + `>https://b.test/a.png</a></p>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(strings.TrimSpace(string(markdown.New(shown).HTML(tt.in))), tt.want)
		})
	}
}

// A text that would take long to render is shown without formatting.
func TestCostly(t *testing.T) {
	for name, text := range map[string]string{
		"quotations": strings.Repeat("> ", 101) + "<b>",
		"lists":      strings.Repeat("- 1) ", 51) + "<b>",
		"links":      strings.Repeat("[a](", 1001) + "<b>",
		"emphasis":   "a\n" + strings.Repeat("*a_\n", 501) + "<b>",
		"a table":    strings.Repeat("|a", 4000) + "|\n" + strings.Repeat("|-", 4000) + "|\n" + strings.Repeat("|\n", 20_000) + "<b>",
		"tables":     strings.Repeat(strings.Repeat("|", 40)+"\n"+strings.Repeat("|-", 40)+"|\n"+strings.Repeat("|\n", 40)+"\n", 20) + "<b>",
		"a table with a line of another space": strings.Repeat("|a", 4000) + "|\n" + strings.Repeat("|-", 4000) + "|\n" +
			strings.Repeat("|\n\u00a0\n", 2000) + "<b>",
		"lists in lists":            indented(20, 10) + "<b>",
		"lists in lists, gaps":      strings.ReplaceAll(indented(20, 10), "\n", "\n\n") + "<b>",
		"lists in lists, text":      strings.ReplaceAll(indented(20, 10), "\n", "\na\n") + "<b>",
		"lists in lists, quoted":    "> " + strings.ReplaceAll(indented(20, 10), "\n", "\n> ") + "<b>",
		"lists in lists, with tabs": strings.ReplaceAll(indented(20, 10), "    ", "\t") + "<b>",
		"empty lists in lists":      strings.ReplaceAll(indented(20, 10), "a\n", "\n") + "<b>",
		"many items":                strings.Repeat("- a\n", 5001) + "<b>",
		"many paragraphs":           strings.Repeat("a\n\n", 5001) + "<b>",
		"gaps in lists":             indented(1, 99) + strings.Repeat("\n", 2000) + "<b>",
		"backticks":                 strings.Repeat("``\\", 501) + "<b>",
		"addresses":                 strings.Repeat("a@b.test ", 2001) + "<b>",
		"headings":                  strings.Repeat("# a\n", 5001) + "<b>",
		"gaps in quotations":        strings.Repeat(strings.Repeat("> ", 90)+"\n", 2000) + "<b>",
	} {
		t.Run(name, func(t *testing.T) {
			got := string(markdown.New(nil).HTML(text))
			is.New(t).Equal(got, "<pre>"+strings.ReplaceAll(strings.ReplaceAll(text, "<", "&lt;"), ">", "&gt;")+"</pre>")
		})
	}
	is := is.New(t)
	is.True(strings.Contains(string(markdown.New(nil).HTML(indented(3, 3)+"\n*a*\n\n```\n"+strings.Repeat(" ", 300)+"a\n```\n")), "<em>"))
	is.True(strings.Contains(string(markdown.New(nil).HTML(strings.Repeat("- *a*\n  - b\n\n        code\n\n", 1000))), "<em>"))
	is.True(strings.Contains(string(markdown.New(nil).HTML(strings.Repeat("**a**\n\n", 1000))), "<strong>"))
	is.True(strings.Contains(string(markdown.New(nil).HTML("a|b|c\n-|-|-\n"+strings.Repeat("1|2|3\n", 3000))), "<table>"))
	is.True(strings.Contains(string(markdown.New(nil).HTML(strings.Repeat("> ", 100)+"*a*")), "<em>"))
	is.True(strings.Contains(string(markdown.New(nil).HTML(strings.Repeat("`a` https://a.test\n", 450))), "<code>"))
}

// indented returns lines that are indented under each other. Each opens n lists.
func indented(lines, n int) string {
	var text strings.Builder
	for i := range lines {
		text.WriteString(strings.Repeat(" ", 2*n*i) + strings.Repeat("- ", n) + "a\n")
	}
	return text.String()
}
