// Package markdown renders the Markdown of activities as HTML that is safe in a page. goldmark
// renders, without raw HTML, and bluemonday removes every element, attribute and address that its
// policy does not name. Start reading with Renderer.HTML.
package markdown

import (
	"bytes"
	"html/template"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// A Renderer renders texts. It can be used concurrently.
type Renderer struct {
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
}

// New returns a renderer. shown reports whether pages may show the image with the given address;
// the renderer turns other images into links. If shown is nil, pages show no images.
func New(shown func(address string) bool) *Renderer {
	if shown == nil {
		shown = func(string) bool { return false }
	}
	return &Renderer{
		markdown: goldmark.New(
			goldmark.WithExtensions(
				extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
				extension.Strikethrough, extension.Linkify,
			),
			goldmark.WithParserOptions(parser.WithASTTransformers(
				util.Prioritized(headings{}, 500), util.Prioritized(images{shown}, 501),
			)),
		),
		policy: newPolicy(),
	}
}

// newPolicy returns the elements and attributes that a text can have. It allows no id, class, style
// or script, so a text can neither affect the elements of the page nor imitate them.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "blockquote", "pre", "code", "em", "strong", "del", "ul", "li",
		"h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowElements("ol")
	p.AllowAttrs("align").Matching(regexp.MustCompile("^(left|center|right)$")).OnElements("td", "th")
	p.AllowElements("td", "th")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src").OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowURLSchemes("https", "http", "mailto")
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}

// HTML returns the text as HTML. The highest heading is an h2, because the title of the activity is
// the h1 of its page. A text that would take long to render is shown without formatting.
func (r *Renderer) HTML(text string) template.HTML {
	if costly(text) {
		return r.plain(text)
	}
	var rendered bytes.Buffer
	if err := r.markdown.Convert([]byte(text), &rendered); err != nil {
		return r.plain(text)
	}
	return template.HTML(r.policy.SanitizeBytes(rendered.Bytes())) //nolint:gosec // sanitized
}

// plain returns the text without formatting.
func (r *Renderer) plain(text string) template.HTML {
	return template.HTML("<pre>" + template.HTMLEscapeString(text) + "</pre>") //nolint:gosec // escaped
}
