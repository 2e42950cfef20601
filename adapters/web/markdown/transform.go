package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// headings moves the headings of a text below the h1 of the page: the highest level becomes 2, and
// no heading is more than one level below the heading before it.
type headings struct{}

// Transform implements parser.ASTTransformer.
func (headings) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	var found []*ast.Heading
	highest := 6
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			found = append(found, h)
			highest = min(highest, h.Level)
		}
		return ast.WalkContinue, nil
	})
	before := 1
	for _, h := range found {
		h.Level = min(h.Level-highest+2, before+1, 6)
		before = h.Level
	}
}

// images turns images that the page does not show into links.
type images struct{ shown func(address string) bool }

// Transform implements parser.ASTTransformer.
func (i images) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	var hidden []*ast.Image
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if image, ok := n.(*ast.Image); ok && entering && !i.shown(string(image.Destination)) {
			hidden = append(hidden, image)
		}
		return ast.WalkContinue, nil
	})
	for _, image := range hidden {
		link := ast.NewLink()
		link.Destination = image.Destination
		for image.FirstChild() != nil {
			link.AppendChild(link, image.FirstChild())
		}
		if link.ChildCount() == 0 {
			link.AppendChild(link, ast.NewString(image.Destination))
		}
		image.Parent().ReplaceChild(image.Parent(), image, link)
	}
}
