package transfer

import (
	"context"
	"io"

	"github.com/google/uuid"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

// Transfers takes whole schools from one store to another.
type Transfers struct {
	deps  usecase.Deps
	files ports.Files
}

// New returns the use cases on the given store; submitted files are in files.
func New(d usecase.Deps, files ports.Files) *Transfers { return &Transfers{deps: d, files: files} }

// Export writes the actor's school to w as lines of package transfer, all of them
// of one instant. told, which may be nil, learns how many lines are written. An
// error leaves lines without an end, which nobody takes for a school.
func (u *Transfers) Export(ctx context.Context, a usecase.Actor, w io.Writer, told func(lines int)) error {
	return u.deps.Store.Snapshot(ctx, a.School(), func(ctx context.Context, s ports.Snapshot) error {
		e := exporting{
			Snapshot: s, out: format.NewWriter(w), files: u.files, told: told,
			categories: map[uuid.UUID]string{}, coupons: map[uuid.UUID]string{}, courses: map[course.ID]string{}, groups: map[uuid.UUID]string{},
			partners: map[person.PartnershipID]format.Partner{}, quizzes: map[uuid.UUID]title{},
			assignments: map[uuid.UUID]title{}, activities: map[activity.ID]step{},
			questions: map[quiz.ID]map[quiz.QuestionID]int{},
		}
		return e.run(ctx)
	})
}

// title is what a line calls a thing whose name others may have too.
type title struct {
	name string
	nth  int // 0 stands for the first
}

// step is what lines call an activity.
type step struct {
	course string
	title
}

// exporting is an export on its way. It holds what lines call the parts of the
// catalogue, and nothing of what is learned.
type exporting struct {
	ports.Snapshot
	out   *format.Writer
	files ports.Files
	told  func(int)
	lines int

	categories, coupons, groups map[uuid.UUID]string
	courses                     map[course.ID]string
	partners                    map[person.PartnershipID]format.Partner
	quizzes                     map[uuid.UUID]title
	assignments                 map[uuid.UUID]title
	activities                  map[activity.ID]step
	questions                   map[quiz.ID]map[quiz.QuestionID]int
}

func (e *exporting) run(ctx context.Context) error {
	s, err := e.School(ctx)
	if err != nil {
		return err
	}
	head := s.State()
	err = e.write(format.School{
		Kind: format.SchoolKind, Format: format.Format, Name: head.Name, Authentication: head.Auth.String(),
		CreatedAt: format.At(head.CreatedAt), UpdatedAt: format.At(head.UpdatedAt),
	})
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		e.exportCategories, e.exportCoupons, e.exportPeople, e.exportPartnerships, e.exportRedemptions, e.exportCourses, e.exportQuizzes,
		e.exportAssignments, e.exportActivities, e.exportGroups, e.exportGroupCourses, e.exportMemberships,
		e.exportEnrollments, e.exportAttempts, e.exportQuizAttempts, e.exportSubmissions, e.exportEvents,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return e.out.Close()
}

func (e *exporting) write(record any) error {
	e.lines++
	if e.told != nil && e.lines%1000 == 0 {
		e.told(e.lines)
	}
	return e.out.Write(record)
}

// numbering counts things of one name, which come one behind the other.
type numbering struct {
	last title
	in   string
}

// next returns what lines call the next thing, which is called name, in a course
// or nowhere.
func (n *numbering) next(in, name string) title {
	if n.last.name != name || n.in != in || n.last.nth == 0 {
		n.in, n.last = in, title{name, 1}
	} else {
		n.last.nth++
	}
	return shown(n.last)
}

// shown returns t as lines write it: that it is the first goes without saying.
func shown(t title) title {
	if t.nth == 1 {
		t.nth = 0
	}
	return t
}
