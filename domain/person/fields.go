package person

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema is what lists of people and of learners can be filtered, searched and
// sorted by: every attribute of every form in which a person is shown. Here stands
// who is a learner of the school: whoever has no partnership, and whoever of the
// others learns in a course or is a member of a group. Managing a course or a group
// makes nobody a learner.
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
).OrderBy("full_name").With("name", "", "full_name", "")
