package teaching

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"lyceum/adapters/web"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// pageSize is the number of rows of a page of a list.
const pageSize = 25

// listing describes a list on a page.
type listing[T any] struct {
	name    string // names the list in cursors
	schema  query.Schema[T]
	list    func(ctx context.Context, q query.Query) (query.Result[T], error)
	sorts   []sorting  // that the page offers; the first is the default
	indexed bool       // whether the store has an index for the first of sorts over all rows of the school
	where   query.Expr // restricts the list; nil: all rows
	// search returns the condition of a search; nil: the search of the schema.
	search func(words string) query.Expr
	keep   map[string]bool // parameters of the address that links to other pages repeat
	at     string          // path of the page with the list; blank: the path of the request
}

// sorting is an order of a list.
type sorting struct{ Value, Name string }

// listPage is a page of a list in a template.
type listPage[T any] struct {
	Rows       []T
	Search     string
	Sort       string
	Sorts      []sorting
	Filters    []filterTerm // terms of the filter language in the address
	Narrowed   bool         // whether the address asks for a part of the list
	Prev, Next string       // links to the neighboring pages; blank: none
	Path       string       // public path of the page with the list; blank: the path of the request
}

type filterTerm struct{ Name, Value string }

// listPageOf returns the page of a list that the address asks for, with the parameters of lists of
// the API: q, sort, cursor and filter[…].
func listPageOf[T any](x *siteRequest, l listing[T]) (listPage[T], error) {
	params := x.r.URL.Query()
	p := listPage[T]{Search: params.Get("q"), Sort: params.Get("sort"), Sorts: l.sorts}
	if l.at != "" {
		p.Path = x.url(l.at)
	}
	if p.Sort == "" && len(l.sorts) > 0 {
		p.Sort = l.sorts[0].Value
	}
	asked := query.Request{Search: p.Search, Sort: p.Sort, Page: query.NewPage(1, pageSize)}
	kept := url.Values{}
	for name, values := range params {
		isFilter := strings.HasPrefix(name, "filter")
		if isFilter && (!strings.HasPrefix(name, "filter[") || !strings.HasSuffix(name, "]")) {
			return p, fault.Malformedf(name, "is not a valid filter, such as filter[name][eq]=Acme")
		}
		if isFilter || l.keep[name] || name == "q" || name == "sort" {
			kept[name] = values
			p.Narrowed = p.Narrowed || name != "sort" && slices.ContainsFunc(values, func(v string) bool { return v != "" })
		}
		for _, value := range values {
			if isFilter {
				path := strings.Split(name[len("filter["):len(name)-1], "][")
				asked.Terms = append(asked.Terms, query.Term{Param: name, Path: path, Value: value})
				p.Filters = append(p.Filters, filterTerm{name, value})
			}
		}
	}
	if l.search != nil {
		if err := text.CheckText("q", p.Search); err != nil {
			return p, err
		}
		asked.Search = ""
	}
	q, err := query.Build(l.schema, asked)
	if err != nil {
		return p, err
	}
	if l.where != nil {
		q = q.And(l.where)
	}
	if l.search != nil && p.Search != "" {
		q = q.And(l.search(p.Search))
	}
	scope := query.NewScope(x.School.ID.UUID, "app:"+l.name, q)
	if c := params.Get("cursor"); c != "" {
		p.Narrowed = true
		at, page, err := l.schema.ParseCursor(c, q.Sort, scope)
		if err != nil {
			return p, fault.Malformedf("cursor", "is damaged")
		}
		q.Page = page
		if page.Number() > 1 {
			q.Cursor = &at
		}
	}
	if !l.indexed || q.Where != nil || p.Sort != l.sorts[0].Value || !x.staff.Manages() {
		if err := x.AdmitWork(web.Search); err != nil {
			return p, err
		}
	}
	found, err := l.list(x.r.Context(), q)
	p.Rows = found.Items
	link := func(row T, backward bool, further int64) string {
		kept.Set("cursor", l.schema.Edge(q.Sort, row, backward).Text(scope, query.NewPage(q.Page.Number()+further, pageSize)))
		return p.Path + "?" + kept.Encode()
	}
	if n := len(p.Rows); n > 0 {
		if q.Page.Number() > 1 {
			p.Prev = link(p.Rows[0], true, -1)
		}
		if found.More {
			p.Next = link(p.Rows[n-1], false, +1)
		}
	}
	return p, err
}
