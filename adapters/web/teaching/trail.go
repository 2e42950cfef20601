package teaching

import (
	"context"
	"net/http"
	"strings"

	"lyceum/app/teaching"
	"lyceum/domain/assignment"
	"lyceum/domain/audit"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
)

// trailData is the data of the audit trail.
type trailData struct{ List listPage[trailRow] }

// trailRow is an event with its record and its actor.
type trailRow struct {
	audit.Event
	Record trailRecord
	By     trailRecord // zero: neither a person nor an API key
}

// trailRecord is a record with its name and the path of its page; both are blank if the record no
// longer exists or the visitor may not see it.
type trailRecord struct {
	change.Record
	Name, Path string
}

// recordPages contains the paths of the pages of records by type. A path that ends with a slash is
// followed by the ID.
var recordPages = map[string]string{
	person.Type: "/people/", course.Type: "/courses/", group.Type: "/groups/", category.Type: "/categories/", coupon.Type: "/coupons/",
	quiz.Type: "/quizzes/", assignment.Type: "/assignments/", school.KeyType: "/keys", webhook.Type: "/webhooks/",
}

func trail(x *siteRequest) error {
	var names map[change.Record]string
	found, err := listPageOf(x, listing[audit.Event]{
		name: "audit", schema: audit.Schema,
		list: func(ctx context.Context, q query.Query) (found query.Result[audit.Event], err error) {
			found, names, err = x.site.app.Trail(ctx, x.staff, q)
			return found, err
		},
		sorts: []sorting{{"-uuid", "Newest first"}, {"uuid", "Oldest first"}},
	})
	if err != nil {
		return err
	}
	named := func(r change.Record) trailRecord {
		name, ok := names[r]
		if !ok {
			return trailRecord{Record: r}
		}
		path := recordPages[r.Type]
		if strings.HasSuffix(path, "/") {
			path += r.ID
		}
		return trailRecord{r, name, path}
	}
	list := listPage[trailRow]{Prev: found.Prev, Next: found.Next}
	for _, e := range found.Rows {
		list.Rows = append(list.Rows, trailRow{e, named(e.Record), named(teaching.ActorRecord(e.Actor))})
	}
	return x.render(http.StatusOK, "trail", trailData{list})
}
