package person

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of people and of learners are filtered, searched and
// sorted, in every version of the API. It contains the definition of a learner: someone without a
// partnership, or with an enrollment as learner or a membership as member. Manager roles in courses
// and groups do not count.
var Schema = query.Define(
	query.UUIDField("uuid", func(p *Summary) uuid.UUID { return p.ID.UUID }),
	query.TextField("email", func(p *Summary) string { return p.Email }),
	query.TextField("first_name", func(p *Summary) string { return p.FirstName }),
	query.TextField("last_name", func(p *Summary) string { return p.LastName }),
	query.TextField("full_name", func(p *Summary) string { return p.FullName() }).Searched(),
	query.DerivedText[Summary]("registration_status",
		query.Where("activated_at", query.Null, query.Value{Bool: true}), NotActivated.name, Activated.name),
	query.OptionalText("custom_avatar_url", func(p *Summary) *string { return p.AvatarURL }),
	query.BooleanField("unsubscribed", func(p *Summary) bool { return p.Unsubscribed }),
	query.IntegerField("course_count", func(p *Summary) int64 { return p.CourseCount }),
	query.IntegerField("group_count", func(p *Summary) int64 { return p.GroupCount }),
	query.OptionalTime("activated_at", func(p *Summary) *time.Time { return p.ActivatedAt }),
	query.TimeField("created_at", func(p *Summary) time.Time { return p.CreatedAt }),
	query.TimeField("updated_at", func(p *Summary) time.Time { return p.UpdatedAt }),
	query.UUIDsField("partnerships.id", func(p *Summary) []PartnershipID { return p.Partnerships }),
	query.IntegerField("partnership_count", func(p *Summary) int64 { return int64(len(p.Partnerships)) }).Hidden(),
	query.DerivedBoolean[Summary]("learner", query.Or{
		query.Where("partnership_count", query.Eq, query.Value{Int: 0}),
		query.Where("course_count", query.Gt, query.Value{Int: 0}),
		query.Where("group_count", query.Gt, query.Value{Int: 0}),
	}).Hidden(),
).OrderBy("full_name").With("name", "", "full_name", "").WithProperties(readProperty)

func readProperty(p *Summary, a query.Attr) query.Value { return p.Properties.Queried(a) }
