package people

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// People tests ports.PersonReader and ports.PersonRepo except for their lists.
func People(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		avatar, at := "https://img.example.test/ada.png", w.NextTime()
		ada := w.AddPerson("ada@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		w.AddPerson("grace@example.test")
		drawing, singing := w.AddCourse("Drawing"), w.AddCourse("Singing")
		w.Enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.Enroll(ada.ID, singing.ID, enrollment.Learner)
		part := w.AddPartner(ada.ID, person.Manager)
		want := person.Summary{State: ada, CourseCount: 2, Partnerships: []person.PartnershipID{part.ID}}
		is.Equal(fixture.Diff(w.PersonSummary(ada.ID), want), "")
		var got person.Summary
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.People.Get(ctx, ada.ID)
			return err
		})
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddPerson("ada@example.test")
		_, err := w.Read().People.Get(w.Context(), w.NewPerson("grace@example.test").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetForUpdate returns the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		for _, want := range []person.State{grace, ada} {
			got, err := w.PersonForUpdate(want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddPerson("ada@example.test")
		_, err := w.PersonForUpdate(w.NewPerson("grace@example.test").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetManyForShare returns the people by id and omits unknown ids", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		avatar, at := "https://img.example.test/ada.png", w.NextTime()
		ada := w.AddPerson("ada@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		grace, alan := w.AddPerson("grace@example.test"), w.AddPerson("alan@example.test")
		none := w.NewPerson("none@example.test").ID
		tests := []struct {
			name string
			ids  []person.ID
			want []person.State
		}{
			{"no ids", nil, nil},
			{"one", []person.ID{ada.ID}, []person.State{ada}},
			{"several", []person.ID{alan.ID, ada.ID}, []person.State{alan, ada}},
			{"one id twice", []person.ID{ada.ID, grace.ID, ada.ID}, []person.State{ada, grace}},
			{"an unknown id", []person.ID{none, ada.ID}, []person.State{ada}},
			{"only unknown ids", []person.ID{none}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				got, err := peopleForShare(w.Tenant, tt.ids...)
				is.NoErr(err)
				want := map[person.ID]person.State{}
				for _, p := range tt.want {
					want[p.ID] = p
				}
				is.Equal(fixture.Diff(got, want), "")
			})
		}
	})

	t.Run("Add inserts the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		avatar, at := "https://img.example.test/é.png?a=%20", w.NextTime()
		bare := w.NewPerson("a@example.test", func(p *person.State) { p.FirstName, p.LastName = "", "" })
		full := w.NewPerson("b@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		is.NoErr(w.TryAddPerson(full))
		is.NoErr(w.TryAddPerson(bare))
		is.Equal(fixture.Diff(w.All().People, []person.Summary{{State: bare}, {State: full}}), "")
	})

	t.Run("An address with the unique key of another person is Invalid on the field email, with that person as the holder", func(t *testing.T) {
		for _, tt := range fixture.SameKeys {
			held, wanted := tt.Held+"@example.test", tt.Wanted+"@Example.Test"
			t.Run(held+" "+wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddPerson("other@example.test")
				holder := w.AddPerson(held)
				is.Equal(fixture.DiffTaken(w.TryAddPerson(w.NewPerson(wanted)), "email", person.Type, holder.ID), "")
			})
		}
	})

	t.Run("An address with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range fixture.DifferentKeys {
			held, wanted := tt.Held+"@example.test", tt.Wanted+"@example.test"
			t.Run(held+" "+wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddPerson(held)
				is.NoErr(w.TryAddPerson(w.NewPerson(wanted)))
			})
		}
	})

	t.Run("Save updates the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		avatar, at := "https://img.example.test/ada.png", w.NextTime()
		p, other := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		enrolled := w.Enroll(p.ID, w.AddCourse("Drawing").ID, enrollment.Learner)

		p.Email, p.FirstName, p.LastName = "augusta@example.test", "Augusta", "King"
		p.AvatarURL, p.ActivatedAt, p.Unsubscribed, p.UpdatedAt = &avatar, &at, true, w.NextTime()
		is.NoErr(w.TrySavePerson(p))
		is.Equal(fixture.Diff(w.PersonSummary(p.ID), person.Summary{State: p, CourseCount: 1}), "")
		is.Equal(fixture.Diff(w.PersonSummary(other.ID), person.Summary{State: other}), "") // no other person changed
		is.Equal(fixture.Diff(w.EnrollmentsOf(p.ID), []enrollment.Enrollment{enrolled}), "")

		p.FirstName, p.LastName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "", "", nil, nil, false
		is.NoErr(w.TrySavePerson(p))
		is.Equal(fixture.Diff(w.PersonSummary(p.ID), person.Summary{State: p, CourseCount: 1}), "")
	})

	t.Run("Save returns the same faults as Add for addresses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p, holder := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		p.Email = "Grace@Example.Test"
		is.Equal(fixture.DiffTaken(w.TrySavePerson(p), "email", person.Type, holder.ID), "")
		p.Email = "grâce@example.test"
		is.NoErr(w.TrySavePerson(p))
	})

	t.Run("Save accepts the person's own address, also in another case", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		for _, email := range []string{"ada@example.test", "Ada@Example.Test"} {
			p.Email = email
			is.NoErr(w.TrySavePerson(p))
		}
		is.Equal(fixture.Diff(w.PersonSummary(p.ID).State, p), "")
	})

	t.Run("Save returns NotFound for an unknown person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.True(fixture.IsNotFound(w.TrySavePerson(w.NewPerson("ada@example.test"))))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("A former address is free", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		changed, removed := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		changed.Email = "augusta@example.test"
		is.NoErr(w.TrySavePerson(changed))
		is.NoErr(w.TryDeletePerson(removed.ID))
		is.NoErr(w.TryAddPerson(w.NewPerson("ADA@example.test")))
		is.NoErr(w.TryAddPerson(w.NewPerson("GRACE@example.test")))
	})

	t.Run("Delete deletes the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p, other := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		is.NoErr(w.TryDeletePerson(p.ID))
		_, err := w.Read().People.Get(w.Context(), p.ID)
		is.True(fixture.IsNotFound(err))
		is.Equal(fixture.Diff(w.All().People, []person.Summary{{State: other}}), "")
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		is.NoErr(w.TryDeletePerson(p.ID))
		is.True(fixture.IsNotFound(w.TryDeletePerson(p.ID)))
	})

	t.Run("Delete returns an error while enrollments of the person exist", func(t *testing.T) {
		for _, role := range []enrollment.Role{enrollment.Learner, enrollment.Manager} {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				p := w.AddPerson("ada@example.test")
				w.Enroll(p.ID, w.AddCourse("Drawing").ID, role)
				w.MustRefuseRemoval(p.ID)
				w.Do(func(ctx context.Context, tx ports.Tx) error {
					if err := tx.Enrollments.DeleteByPerson(ctx, p.ID); err != nil {
						return err
					}
					return tx.People.Delete(ctx, p.ID)
				})
				is.Equal(len(w.All().People), 0)
			})
		}
	})

	t.Run("Delete returns an error while memberships of the person exist", func(t *testing.T) {
		for _, role := range membership.Roles() {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				p := w.AddPerson("ada@example.test")
				w.AddMembership(p.ID, w.AddGroup("Painters").ID, role)
				w.MustRefuseRemoval(p.ID)
				is.NoErr(w.DeletePerson(p.ID))
				is.Equal(len(w.All().People), 0)
			})
		}
	})

	t.Run("Delete returns an error while course attempts, quiz attempts, submissions or events of the person exist", func(t *testing.T) {
		for name, record := range map[string]func(w fixture.World, l fixture.CourseFixture) any{
			"course attempts": func(fixture.World, fixture.CourseFixture) any { return nil },
			"completions": func(w fixture.World, l fixture.CourseFixture) any {
				return attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: w.NextTime()}
			},
			"quiz attempts": func(w fixture.World, l fixture.CourseFixture) any {
				return w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true)
			},
			"submissions": func(w fixture.World, l fixture.CourseFixture) any {
				return w.NewSubmission(l.Attempt, l.AssignmentActivity)
			},
		} {
			t.Run(name, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				l := fixture.NewCourseFixture(w.Tenant, "one")
				w.Unenroll(l.Learner.ID, enrollment.Learner, l.Course.ID)
				if more := record(w, l); more != nil {
					w.Save(more)
				}
				w.MustRefuseRemoval(l.Learner.ID)
				is.NoErr(w.DeletePerson(l.Learner.ID))
				is.Equal(len(w.All().People), 0)
			})
		}

		t.Run("events", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			l, p := fixture.NewCourseFixture(w.Tenant, "one"), w.AddPerson("ada@example.test").ID
			w.Append(w.NextTime(), event.NewView(p, l.Text.ID))
			w.MustRefuseRemoval(p)
			is.NoErr(w.DeletePerson(p))
			is.Equal(len(w.All().Events), 0)
		})
	})

	t.Run("Delete returns an error while partnerships of the person exist", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		w.AddPartner(p.ID, person.Owner)
		w.MustRefuseRemoval(p.ID)
	})
}

// peopleForShare returns the states of the people that GetManyForShare returns.
func peopleForShare(s fixture.Tenant, ids ...person.ID) (map[person.ID]person.State, error) {
	states := map[person.ID]person.State{}
	err := s.Try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.People.GetManyForShare(ctx, slices.Clone(ids))
		clear(states)
		for id, p := range found {
			states[id] = p.State()
		}
		return err
	})
	return states, err
}
