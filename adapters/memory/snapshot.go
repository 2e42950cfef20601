package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.Snapshot = (*snapshot)(nil)

// Snapshot runs fn on the latest published state, which never changes.
func (s *Store) Snapshot(
	ctx context.Context, id school.ID, fn func(ctx context.Context, s ports.Snapshot) error,
) error {
	if ctx.Value(inTx{}) != nil {
		return errNested
	}
	now, err := committed{s, id}.current(ctx)
	if err != nil {
		return err
	}
	return fn(context.WithValue(ctx, inTx{}, true), &snapshot{state: now})
}

// snapshot is a state and the keys by which its records go, each made once.
type snapshot struct {
	*state
	emails map[uuid.UUID]string // text.Key of the address, by person
	groups map[uuid.UUID]string // text.Key of the name, by group
}

// School returns the school.
func (s *snapshot) School(ctx context.Context) (school.School, error) {
	return s.school, alive(ctx)
}

// walk hands copies of rows to each.
func walk[R, T any](ctx context.Context, rows []R, show func(R) T, each func(T) error) error {
	for i, r := range rows {
		if i%1000 == 0 {
			if err := alive(ctx); err != nil {
				return err
			}
		}
		if err := each(show(r)); err != nil {
			return err
		}
	}
	return alive(ctx)
}

// rank is what a row is ordered by: texts, then what tells equal ones apart.
type rank struct {
	texts   []string
	numbers []int
	created time.Time
	id      uuid.UUID
	then    *rank // decides between rows that are equal so far
}

func (r rank) compare(other rank) int {
	c := cmp.Or(
		slices.Compare(r.texts, other.texts), slices.Compare(r.numbers, other.numbers),
		r.created.Compare(other.created), ordered.CompareIDs(r.id, other.id),
	)
	if c == 0 && r.then != nil {
		return r.then.compare(*other.then)
	}
	return c
}

// ranked returns rows in the order of their ranks.
func ranked[R any](rows []R, of func(R) rank) []R {
	type entry struct {
		row  R
		rank rank
	}
	entries := make([]entry, len(rows))
	for i, r := range rows {
		entries[i] = entry{r, of(r)}
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.rank.compare(b.rank) })
	sorted := make([]R, len(entries))
	for i, e := range entries {
		sorted[i] = e.row
	}
	return sorted
}

// inOrder returns the rows of a table in the order of their ranks.
func inOrder[T any](t *ordered.Table[T], of func(*T) rank) []*query.Record[T] {
	return ranked(slices.Collect(t.ByID.From(0)), func(r *query.Record[T]) rank { return of(&r.Row) })
}

// records hands the rows of a table to each.
func records[T any](ctx context.Context, t *ordered.Table[T], of func(*T) rank, each func(T) error) error {
	return walk(ctx, inOrder(t, of), func(r *query.Record[T]) T { return t.Clone(r.Row) }, each)
}

// Categories hands over the categories.
func (s *snapshot) Categories(ctx context.Context, each func(category.State) error) error {
	return records(ctx, s.categories.table, func(c *category.State) rank {
		return rank{texts: []string{text.Key(c.Name)}, id: c.ID.UUID}
	}, each)
}

// Coupons hands over the coupons.
func (s *snapshot) Coupons(ctx context.Context, each func(coupon.State) error) error {
	return records(ctx, s.coupons.table, func(c *coupon.State) rank {
		return rank{texts: []string{text.Key(c.Code)}, id: c.ID.UUID}
	}, each)
}

// People hands over the people.
func (s *snapshot) People(ctx context.Context, each func(person.State) error) error {
	return records(ctx, s.people.table, func(p *person.Summary) rank {
		return rank{texts: []string{s.email(p.ID)}, id: p.ID.UUID}
	}, func(p person.Summary) error { return each(p.State) })
}

// Courses hands over the courses.
func (s *snapshot) Courses(ctx context.Context, each func(course.State) error) error {
	return records(ctx, s.courses.table, func(c *course.Summary) rank {
		return rank{texts: []string{c.Permalink}, id: c.ID.UUID}
	}, func(c course.Summary) error { return each(c.State) })
}

// Quizzes hands over the quizzes with their questions.
func (s *snapshot) Quizzes(ctx context.Context, each func(quiz.State) error) error {
	return records(ctx, s.quizzes.table, func(q *quiz.Summary) rank {
		return rank{texts: []string{q.Name}, created: q.CreatedAt, id: q.ID.UUID}
	}, func(q quiz.Summary) error {
		questions, _ := s.questions.table.Get(q.ID.UUID)
		return each(quiz.State{
			ID: q.ID, Name: q.Name, Questions: cloneQuestions(questions.asked), Archived: cloneQuestions(questions.archived),
			CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt,
		})
	})
}

// Assignments hands over the assignments.
func (s *snapshot) Assignments(ctx context.Context, each func(assignment.State) error) error {
	return records(ctx, s.assignments.table, func(a *assignment.State) rank {
		return rank{texts: []string{a.Title}, created: a.CreatedAt, id: a.ID.UUID}
	}, each)
}

// Activities hands over the activities.
func (s *snapshot) Activities(ctx context.Context, each func(activity.State) error) error {
	return records(ctx, s.activities.table, func(a *activity.State) rank {
		return rank{texts: []string{s.permalink(a.Course), a.Title}, created: a.CreatedAt, id: a.ID.UUID}
	}, each)
}

// Groups hands over the groups.
func (s *snapshot) Groups(ctx context.Context, each func(group.State) error) error {
	return records(ctx, s.state.groups.table, func(g *group.Summary) rank {
		return rank{texts: []string{text.Key(g.Name)}, id: g.ID.UUID}
	}, func(g group.Summary) error { return each(g.State) })
}

// email returns the text.Key of a person's address.
func (s *snapshot) email(id person.ID) string {
	return keyed(&s.emails, id.UUID, func() string { p, _ := s.people.table.ByID.Get(id.UUID); return p.Row.Email })
}

// name returns the text.Key of a group's name.
func (s *snapshot) name(id group.ID) string {
	return keyed(&s.groups, id.UUID, func() string { g, _ := s.state.groups.table.ByID.Get(id.UUID); return g.Row.Name })
}

func keyed(known *map[uuid.UUID]string, id uuid.UUID, written func() string) string {
	if *known == nil {
		*known = map[uuid.UUID]string{}
	}
	key, ok := (*known)[id]
	if !ok {
		key = text.Key(written())
		(*known)[id] = key
	}
	return key
}

func (s *snapshot) permalink(id course.ID) string {
	c, _ := s.courses.table.ByID.Get(id.UUID)
	return c.Row.Permalink
}

// address returns a person's address as it is written.
func (s *snapshot) address(id person.ID) string {
	p, _ := s.people.table.ByID.Get(id.UUID)
	return p.Row.Email
}
