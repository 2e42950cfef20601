package jsonapi

import "strconv"

// Pages is the links of a list; Prev and Next are left out when there is no
// such page.
type Pages struct {
	Self string `json:"self"`
	Prev string `json:"prev,omitempty"`
	Next string `json:"next,omitempty"`
}

// NewPages returns the links of page number (from 1) of the list at address.
// query is the encoded parameters that all pages share, without page; more
// says whether a page follows. The first page is named by no number.
func NewPages(address, query string, number int64, more bool) Pages {
	at := func(n int64) string {
		q := query
		if n > 1 {
			if q != "" {
				q += "&"
			}
			q += "page=" + strconv.FormatInt(n, 10)
		}
		if q == "" {
			return address
		}
		return address + "?" + q
	}
	p := Pages{Self: at(number)}
	if number > 1 {
		p.Prev = at(number - 1)
	}
	if more {
		p.Next = at(number + 1)
	}
	return p
}
