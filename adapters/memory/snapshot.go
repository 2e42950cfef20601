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
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.Snapshot = (*snapshot)(nil)

// Snapshot implements ports.Snapshots. fn reads the state that is published when Snapshot is
// called.
func (s *store) Snapshot(
	ctx context.Context, id school.ID, fn func(ctx context.Context, s ports.Snapshot) error,
) error {
	if ctx.Value(inTx{}) != nil {
		return errNested
	}
	now, err := committed{s, id}.current(ctx)
	if err != nil {
		return err
	}
	return fn(context.WithValue(ctx, inTx{}, true), &snapshot{state: now, store: s.id})
}

// snapshot reads one published state. It caches the unique keys that it sorts by.
type snapshot struct {
	*state
	store  uuid.UUID            // identifies the store in change feeds
	emails map[uuid.UUID]string // unique key of the email, by person
	groups map[uuid.UUID]string // unique key of the name, by group
}

// School implements ports.Snapshot.
func (s *snapshot) School(ctx context.Context) (school.School, error) {
	return s.school, ordered.CheckContext(ctx)
}

// visit calls the function each with show(r) for every row r. It stops at the first error, and
// checks ctx every 1000 rows.
func visit[R, T any](ctx context.Context, rows []R, show func(R) T, each func(T) error) error {
	for i, r := range rows {
		if i%1000 == 0 {
			if err := ordered.CheckContext(ctx); err != nil {
				return err
			}
		}
		if err := each(show(r)); err != nil {
			return err
		}
	}
	return ordered.CheckContext(ctx)
}

// sortRank is the sort key of a row. The fields are compared in order.
type sortRank struct {
	texts   []string
	numbers []int
	created time.Time
	id      uuid.UUID
	then    *sortRank // compared if the fields above are equal; set in both ranks or in neither
}

func (r sortRank) compare(other sortRank) int {
	c := cmp.Or(
		slices.Compare(r.texts, other.texts), slices.Compare(r.numbers, other.numbers),
		r.created.Compare(other.created), ordered.CompareIDs(r.id, other.id),
	)
	if c == 0 && r.then != nil {
		return r.then.compare(*other.then)
	}
	return c
}

// sortedBy returns rows in the order of their ranks.
func sortedBy[R any](rows []R, of func(R) sortRank) []R {
	type entry struct {
		row  R
		rank sortRank
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

// sortedTable returns the rows of a table in the order of their ranks.
func sortedTable[T any](t *ordered.Table[T], of func(*T) sortRank) []*query.Record[T] {
	return sortedBy(slices.Collect(t.ByID.From(0)), func(r *query.Record[T]) sortRank { return of(&r.Row) })
}

// visitTable calls the function each with a copy of every row of a table, in the order of their
// ranks.
func visitTable[T any](ctx context.Context, t *ordered.Table[T], of func(*T) sortRank, each func(T) error) error {
	return visit(ctx, sortedTable(t, of), func(r *query.Record[T]) T { return t.Clone(r.Row) }, each)
}

// Properties implements ports.Snapshot.
func (s *snapshot) Properties(ctx context.Context, each func(property.State) error) error {
	return visitTable(ctx, s.properties.table, func(d *property.State) sortRank {
		return sortRank{texts: []string{d.Resource.String(), d.Name}, id: d.ID.UUID}
	}, each)
}

// Categories implements ports.Snapshot.
func (s *snapshot) Categories(ctx context.Context, each func(category.State) error) error {
	return visitTable(ctx, s.categories.table, func(c *category.State) sortRank {
		return sortRank{texts: []string{text.UniqueKey(c.Name)}, id: c.ID.UUID}
	}, each)
}

// Coupons implements ports.Snapshot.
func (s *snapshot) Coupons(ctx context.Context, each func(coupon.State) error) error {
	return visitTable(ctx, s.coupons.table, func(c *coupon.State) sortRank {
		return sortRank{texts: []string{text.UniqueKey(c.Code)}, id: c.ID.UUID}
	}, each)
}

// People implements ports.Snapshot.
func (s *snapshot) People(ctx context.Context, each func(person.State) error) error {
	return visitTable(ctx, s.people.table, func(p *person.Summary) sortRank {
		return sortRank{texts: []string{s.emailKey(p.ID)}, id: p.ID.UUID}
	}, func(p person.Summary) error { return each(p.State) })
}

// Courses implements ports.Snapshot.
func (s *snapshot) Courses(ctx context.Context, each func(course.State) error) error {
	return visitTable(ctx, s.courses.table, func(c *course.Summary) sortRank {
		return sortRank{texts: []string{c.Permalink}, id: c.ID.UUID}
	}, func(c course.Summary) error { return each(c.State) })
}

// Quizzes implements ports.Snapshot.
func (s *snapshot) Quizzes(ctx context.Context, each func(quiz.State) error) error {
	return visitTable(ctx, s.quizzes.table, func(q *quiz.Summary) sortRank {
		return sortRank{texts: []string{q.Name}, created: q.CreatedAt, id: q.ID.UUID}
	}, func(q quiz.Summary) error {
		questions, _ := s.questions.table.Get(q.ID.UUID)
		return each(quiz.State{
			ID: q.ID, Name: q.Name, Questions: cloneQuestions(questions.active), Archived: cloneQuestions(questions.archived),
			CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt,
		})
	})
}

// Assignments implements ports.Snapshot.
func (s *snapshot) Assignments(ctx context.Context, each func(assignment.State) error) error {
	return visitTable(ctx, s.assignments.table, func(a *assignment.State) sortRank {
		return sortRank{texts: []string{a.Title}, created: a.CreatedAt, id: a.ID.UUID}
	}, each)
}

// Activities implements ports.Snapshot.
func (s *snapshot) Activities(ctx context.Context, each func(activity.State) error) error {
	return visitTable(ctx, s.activities.table, func(a *activity.State) sortRank {
		return sortRank{texts: []string{s.permalink(a.Course), a.Title}, created: a.CreatedAt, id: a.ID.UUID}
	}, each)
}

// Groups implements ports.Snapshot.
func (s *snapshot) Groups(ctx context.Context, each func(group.State) error) error {
	return visitTable(ctx, s.state.groups.table, func(g *group.Summary) sortRank {
		return sortRank{texts: []string{text.UniqueKey(g.Name)}, id: g.ID.UUID}
	}, func(g group.Summary) error { return each(g.State) })
}

// emailKey returns the unique key of a person's email.
func (s *snapshot) emailKey(id person.ID) string {
	return cachedKey(&s.emails, id.UUID, func() string { p, _ := s.people.table.ByID.Get(id.UUID); return p.Row.Email })
}

// nameKey returns the unique key of a group's name.
func (s *snapshot) nameKey(id group.ID) string {
	return cachedKey(&s.groups, id.UUID, func() string { g, _ := s.state.groups.table.ByID.Get(id.UUID); return g.Row.Name })
}

// cachedKey returns the unique key of the text of the record id. It calls written to get the text
// only if the key is not in the cache known.
func cachedKey(known *map[uuid.UUID]string, id uuid.UUID, written func() string) string {
	if *known == nil {
		*known = map[uuid.UUID]string{}
	}
	key, ok := (*known)[id]
	if !ok {
		key = text.UniqueKey(written())
		(*known)[id] = key
	}
	return key
}

func (s *snapshot) permalink(id course.ID) string {
	c, _ := s.courses.table.ByID.Get(id.UUID)
	return c.Row.Permalink
}

// address returns a person's email.
func (s *snapshot) address(id person.ID) string {
	p, _ := s.people.table.ByID.Get(id.UUID)
	return p.Row.Email
}
