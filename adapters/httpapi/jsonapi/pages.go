package jsonapi

import "strconv"

// Pages contains the links of a list. Prev and Next are omitted if there is no such page.
type Pages struct {
	Self string `json:"self"`
	Prev string `json:"prev,omitempty"`
	Next string `json:"next,omitempty"`
}

// PageLinks contains the data from which the links of a page are built.
type PageLinks struct {
	Address string // URL of the list
	Query   string // the encoded parameters that all pages share
	Number  int64  // number of the page, from 1
	More    bool   // whether a page follows
	// Self, Prev and Next are the cursors of this page, the previous page and the next page. If a
	// cursor is empty, the link contains only the page number.
	Self, Prev, Next string
}

// Pages returns the links. The link to the first page has neither a number nor a cursor.
func (l PageLinks) Pages() Pages {
	p := Pages{Self: l.at(l.Number, l.Self)}
	if l.Number > 1 {
		p.Prev = l.at(l.Number-1, l.Prev)
	}
	if l.More {
		p.Next = l.at(l.Number+1, l.Next)
	}
	return p
}

func (l PageLinks) at(number int64, cursor string) string {
	q := l.Query
	if number > 1 {
		if q != "" {
			q += "&"
		}
		q += "page=" + strconv.FormatInt(number, 10)
		if cursor != "" {
			q += "&cursor=" + cursor
		}
	}
	if q == "" {
		return l.Address
	}
	return l.Address + "?" + q
}
