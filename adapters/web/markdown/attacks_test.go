package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"lyceum/adapters/web/markdown"
)

// attacks are texts that, if they were rendered unchecked, would run a script, load a resource or
// break out of their element in the page.
var attacks = []string{
	"<script>alert(1)</script>",
	"<img src=x onerror=alert(1)>",
	"<svg/onload=alert(1)>",
	"<a href='javascript:alert(1)'>a</a>",
	"[a](javascript:alert(1))",
	"[a](JaVaScRiPt:alert(1))",
	"[a](java\tscript:alert(1))",
	"[a](&#106;avascript:alert(1))",
	"[a](\x01javascript:alert(1))",
	"[a](vbscript:msgbox(1))",
	"[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
	"[a](//evil.test/)",
	"[a](/app/x?delete=1)",
	"<javascript:alert(1)>",
	"![a](javascript:alert(1))",
	"![a](data:image/svg+xml;base64,PHN2Zy8+)",
	"![a\" onerror=\"alert(1)](https://b.test/c.png)",
	"![a](https://b.test/c.png\"onerror=\"alert(1))",
	"[a](https://b.test/\"onmouseover=\"alert(1))",
	"[a][b]\n\n[b]: javascript:alert(1) \"c\"",
	"[a](https://b.test 'c\" onclick=\"alert(1)')",
	"```\"><script>alert(1)</script>\na\n```",
	"```html onclick=alert(1)\n</code></pre><script>alert(1)</script>\n```",
	"`</code><script>alert(1)</script>`",
	"</main></body><form action=https://evil.test><input name=a>",
	"<iframe src=https://evil.test></iframe>",
	"<style>*{display:none}</style>",
	"<p style=position:fixed;inset:0 class=button id=main>a</p>",
	"<base href=https://evil.test/><meta http-equiv=refresh content=0>",
	"<!--><script>alert(1)</script>-->",
	"<![CDATA[<script>alert(1)</script>]]>",
	"<math><mtext></p><style><img src=x onerror=alert(1)></style>",
	"<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
	"|a|\n|-|\n|<script>alert(1)</script>|",
	"# <b onclick=alert(1)>a",
	"&lt;script&gt;alert(1)&lt;/script&gt;",
	"<x\x00 onclick=alert(1)>",
	"a\u2028<script>alert(1)</script>",
}

// allowed lists the elements of a rendered text and their attributes.
var allowed = map[string][]string{
	"p": nil, "br": nil, "hr": nil, "blockquote": nil, "pre": nil, "code": nil, "em": nil, "strong": nil, "del": nil,
	"ul": nil, "ol": {"start"}, "li": nil, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil,
	"table": nil, "thead": nil, "tbody": nil, "tr": nil, "td": {"align"}, "th": {"align"},
	"a": {"href", "rel"}, "img": {"src", "alt"},
}

// check parses rendered as a browser does, and fails unless it consists of allowed elements.
func check(t *testing.T, source, rendered string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(rendered))
	var open []string
	for {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("%q leaves %v open: %q", source, open, rendered)
			}
			return
		case html.TextToken:
			continue
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("%q closes %s in %v: %q", source, token.Data, open, rendered)
			}
			open = open[:len(open)-1]
			continue
		case html.StartTagToken:
			if token.Data != "br" && token.Data != "hr" && token.Data != "img" {
				open = append(open, token.Data)
			}
		case html.SelfClosingTagToken:
		default:
			t.Fatalf("%q became %v: %q", source, kind, rendered)
		}
		attributes, ok := allowed[token.Data]
		if !ok {
			t.Fatalf("%q has the element %s: %q", source, token.Data, rendered)
		}
		for _, a := range token.Attr {
			if !slices.Contains(attributes, a.Key) {
				t.Fatalf("%q has the attribute %s: %q", source, a.Key, rendered)
			}
			if a.Key == "href" || a.Key == "src" {
				scheme, _, _ := strings.Cut(a.Val, ":")
				if !slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(scheme)) {
					t.Fatalf("%q has the address %s: %q", source, a.Val, rendered)
				}
			}
		}
	}
}

func TestAttacks(t *testing.T) {
	all := func(string) bool { return true }
	for _, text := range attacks {
		t.Run(text, func(t *testing.T) {
			for _, around := range []string{"%", "> %", "- a\n\n  %", "a %", "*%*", "[%](https://b.test)", "# %", "|a|\n|-|\n|%|"} {
				source := strings.ReplaceAll(around, "%", text)
				check(t, source, string(markdown.New(nil).HTML(source)))
				check(t, source, string(markdown.New(all).HTML(source)))
			}
		})
	}
}

func FuzzHTML(f *testing.F) {
	for _, text := range attacks {
		f.Add(text)
	}
	f.Add("# A\n\n|a|\n|:-:|\n|b|\n\n1. c\n   > d\n\n![e](https://f.test)")
	r := markdown.New(func(address string) bool { return len(address)%2 == 0 })
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) <= 4096 {
			check(t, text, string(r.HTML(text)))
		}
	})
}
