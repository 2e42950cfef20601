package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// kind is a kind of write. draw returns the next write, or false if none is possible.
type kind struct {
	name string
	draw func(*client) (pendingWrite, bool)
}

// kinds contains all kinds of writes. A kind that occurs twice in kinds is used twice as often.
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

// The kinds of rows.
const (
	person, enrolled, member, redemptions = "person", "enrolled", "member", "redeemed"
	event, completed, answer, file        = "event", "completed", "answer", "file"
	category, course, structure, team     = "category", "course", "structure", "group"
	coupon                                = "coupon"
)

// post returns a POST request with a document.
func post(status int, path, document string, arguments ...any) request {
	return request{method: http.MethodPost, path: path, body: fmt.Appendf(nil, document, arguments...), expected: []int{status}}
}

// identifiers returns the data of a relationship.
func identifiers(typ string, ids ...string) string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = `{"type":"` + typ + `","id":"` + id + `"}`
	}
	return `{"data":[` + strings.Join(all, ",") + `]}`
}

// relate returns a POST request with the data of a relationship.
func relate(path, typ string, ids ...string) request {
	return post(204, path, "%s", identifiers(typ, ids...))
}

// toOne returns a to-one relationship.
func toOne(name, typ, id string) string {
	return fmt.Sprintf(`%q:{"data":{"type":%q,"id":%q}}`, name, typ, id)
}
