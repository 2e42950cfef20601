package transfer

import (
	"context"
	"io"

	"github.com/google/uuid"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/audit"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Transfers exports and imports schools.
type Transfers struct {
	deps  usecase.Deps
	files ports.Files
}

// New returns a Transfers for the store in d. Exports read submitted files from files, and imports
// store them there.
func New(d usecase.Deps, files ports.Files) *Transfers { return &Transfers{deps: d, files: files} }

// Export writes a snapshot of the actor's school to w as lines of package format. It calls
// progress, which may be nil, with the number of lines written so far. After an error the file
// lacks its last line, so that no import accepts it.
func (u *Transfers) Export(ctx context.Context, a usecase.Actor, w io.Writer, progress func(lines int)) error {
	return u.export(ctx, a, w, progress, false)
}

// ExportWithIDs is like Export, but the lines have the IDs of their records, and the first line has
// the position of the change feed after which a reader finds all changes that the snapshot may
// lack.
func (u *Transfers) ExportWithIDs(ctx context.Context, a usecase.Actor, w io.Writer, progress func(lines int)) error {
	return u.export(ctx, a, w, progress, true)
}

func (u *Transfers) export(ctx context.Context, a usecase.Actor, w io.Writer, progress func(lines int), ids bool) error {
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return tx.Audit.Add(ctx, audit.Exported, usecase.SchoolRecord(a.School()))
	})
	if err != nil {
		return err
	}
	return u.deps.Store.Snapshot(ctx, a.School(), func(ctx context.Context, s ports.Snapshot) error {
		e := exporter{
			Snapshot: s, out: format.NewWriter(w), school: a.School(), files: u.files, progress: progress, ids: ids,
			categories: map[uuid.UUID]string{}, coupons: map[uuid.UUID]string{}, courses: map[course.ID]string{}, groups: map[uuid.UUID]string{},
			partners: map[person.PartnershipID]format.Partner{}, quizzes: map[uuid.UUID]ordinalName{},
			assignments: map[uuid.UUID]ordinalName{}, activities: map[activity.ID]activityName{},
			questions: map[quiz.ID]map[quiz.QuestionID]int{},
		}
		return e.run(ctx)
	})
}

// ordinalName is a name with a number that distinguishes records of the same name.
type ordinalName struct {
	name string
	nth  int // 1-based; 0 means 1
}

// activityName is how lines refer to an activity.
type activityName struct {
	course string
	ordinalName
}

// An exporter writes one school. It keeps only names of the catalog in memory, not learner data.
type exporter struct {
	ports.Snapshot
	out      *format.Writer
	school   school.ID
	files    ports.Files
	progress func(int)
	lines    int
	ids      bool // whether lines have IDs

	categories, coupons, groups map[uuid.UUID]string
	courses                     map[course.ID]string
	partners                    map[person.PartnershipID]format.Partner
	quizzes                     map[uuid.UUID]ordinalName
	assignments                 map[uuid.UUID]ordinalName
	activities                  map[activity.ID]activityName
	questions                   map[quiz.ID]map[quiz.QuestionID]int
}

func (e *exporter) run(ctx context.Context) error {
	s, err := e.School(ctx)
	if err != nil {
		return err
	}
	head := s.State()
	position := ""
	if e.ids {
		feed, err := e.Changes(ctx)
		if err != nil {
			return err
		}
		position = feed.Last().String()
	}
	err = e.write(format.School{
		ID: e.id(head.ID.UUID), Changes: position,
		Kind: format.SchoolKind, Format: format.Format, Name: head.Name, Slug: head.Slug, PublicCovers: head.Entry.PublicCovers, Authentication: head.Auth.String(),
		CreatedAt: format.NewInstant(head.CreatedAt), UpdatedAt: format.NewInstant(head.UpdatedAt),
	})
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		e.exportProperties, e.exportCategories, e.exportCoupons, e.exportPeople, e.exportPartnerships, e.exportRedemptions, e.exportCourses, e.exportQuizzes,
		e.exportAssignments, e.exportActivities, e.exportGroups, e.exportGroupCourses, e.exportMemberships,
		e.exportEnrollments, e.exportAttempts, e.exportQuizAttempts, e.exportSubmissions, e.exportEvents,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return e.out.Close()
}

// id returns the ID of a line, or zero if lines have no IDs.
func (e *exporter) id(record uuid.UUID) format.ID {
	if !e.ids {
		return format.ID{}
	}
	return format.ID{UUID: record}
}

func (e *exporter) write(record any) error {
	e.lines++
	if e.progress != nil && e.lines%1000 == 0 {
		e.progress(e.lines)
	}
	return e.out.Write(record)
}

// ordinals numbers consecutive records of the same name.
type ordinals struct {
	last ordinalName
	in   string
}

// next returns the numbered name of the next record. in is the course's permalink, or blank if the
// record does not belong to a course.
func (n *ordinals) next(in, name string) ordinalName {
	if n.last.name != name || n.in != in || n.last.nth == 0 {
		n.in, n.last = in, ordinalName{name, 1}
	} else {
		n.last.nth++
	}
	return omitFirst(n.last)
}

// omitFirst returns t as lines contain it: without the number if the number is 1.
func omitFirst(t ordinalName) ordinalName {
	if t.nth == 1 {
		t.nth = 0
	}
	return t
}
