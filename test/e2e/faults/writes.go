package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// kind is a kind of write. draw returns the next one, or false when there is
// nothing to do it with.
type kind struct {
	name string
	draw func(*client) (pendingWrite, bool)
}

// kinds is every kind of write; what is named twice is done twice as often.
var kinds = slices.Concat([]kind{
	{"create a person", createPerson},
	{"rename a person", renamePerson},
	{"enroll", enrollPerson},
	{"enroll", enrollPerson},
	{"un-enroll", unenroll},
	{"join a group", joinGroup},
	{"join a group", joinGroup},
	{"leave a group", leaveGroup},
	{"delete a person", deletePerson},
	{"redeem a coupon", redeem},
}, learning, catalog)

// The kinds of facts.
const (
	person, enrolled, member, redemptions = "person", "enrolled", "member", "redeemed"
	event, completed, answer, file        = "event", "completed", "answer", "file"
	category, course, structure, team     = "category", "course", "structure", "group"
	coupon                                = "coupon"
)

// post returns a POST of a document.
func post(status int, path, document string, arguments ...any) request {
	return request{method: http.MethodPost, path: path, body: fmt.Appendf(nil, document, arguments...), expected: []int{status}}
}

// identifiers writes the data of a relationship.
func identifiers(typ string, ids ...string) string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = `{"type":"` + typ + `","id":"` + id + `"}`
	}
	return `{"data":[` + strings.Join(all, ",") + `]}`
}

// relate returns a POST of the data of a relationship.
func relate(path, typ string, ids ...string) request {
	return post(204, path, "%s", identifiers(typ, ids...))
}

// toOne writes a relationship to one record.
func toOne(name, typ, id string) string {
	return fmt.Sprintf(`%q:{"data":{"type":%q,"id":%q}}`, name, typ, id)
}
