package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

// people tests ports.PersonReader and ports.PersonRepo except for their lists.
func people(t *testing.T, b Backend) {
	t.Run("Get returns the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		avatar, at := "https://img.example.test/ada.png", w.nextTime()
		ada := w.addPerson("ada@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		w.addPerson("grace@example.test")
		drawing, singing := w.addCourse("Drawing"), w.addCourse("Singing")
		w.enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.enroll(ada.ID, singing.ID, enrollment.Learner)
		part := w.addPartner(ada.ID, person.Manager)
		want := person.Summary{State: ada, CourseCount: 2, Partnerships: []person.PartnershipID{part.ID}}
		is.Equal(diff(w.personSummary(ada.ID), want), "")
		var got person.Summary
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.People.Get(ctx, ada.ID)
			return err
		})
		is.Equal(diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addPerson("ada@example.test")
		_, err := w.read().People.Get(w.ctx(), w.newPerson("grace@example.test").ID)
		is.True(isNotFound(err))
	})

	t.Run("GetForUpdate returns the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		for _, want := range []person.State{grace, ada} {
			got, err := w.personForUpdate(want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addPerson("ada@example.test")
		_, err := w.personForUpdate(w.newPerson("grace@example.test").ID)
		is.True(isNotFound(err))
	})

	t.Run("GetManyForShare returns the people by id and omits unknown ids", func(t *testing.T) {
		w := newWorld(t, b)
		avatar, at := "https://img.example.test/ada.png", w.nextTime()
		ada := w.addPerson("ada@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		grace, alan := w.addPerson("grace@example.test"), w.addPerson("alan@example.test")
		none := w.newPerson("none@example.test").ID
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
				got, err := w.peopleForShare(tt.ids...)
				is.NoErr(err)
				want := map[person.ID]person.State{}
				for _, p := range tt.want {
					want[p.ID] = p
				}
				is.Equal(diff(got, want), "")
			})
		}
	})

	t.Run("Add inserts the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		avatar, at := "https://img.example.test/é.png?a=%20", w.nextTime()
		bare := w.newPerson("a@example.test", func(p *person.State) { p.FirstName, p.LastName = "", "" })
		full := w.newPerson("b@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		is.NoErr(w.tryAddPerson(full))
		is.NoErr(w.tryAddPerson(bare))
		is.Equal(diff(w.all().People, []person.Summary{{State: bare}, {State: full}}), "")
	})

	t.Run("An address with the unique key of another person is Invalid on the field email, with that person as the holder", func(t *testing.T) {
		for _, tt := range sameKeys {
			held, wanted := tt.held+"@example.test", tt.wanted+"@Example.Test"
			t.Run(held+" "+wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addPerson("other@example.test")
				holder := w.addPerson(held)
				is.Equal(diffTaken(w.tryAddPerson(w.newPerson(wanted)), "email", person.Type, holder.ID), "")
			})
		}
	})

	t.Run("An address with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range differentKeys {
			held, wanted := tt.held+"@example.test", tt.wanted+"@example.test"
			t.Run(held+" "+wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addPerson(held)
				is.NoErr(w.tryAddPerson(w.newPerson(wanted)))
			})
		}
	})

	t.Run("Save updates the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		avatar, at := "https://img.example.test/ada.png", w.nextTime()
		p, other := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		enrolled := w.enroll(p.ID, w.addCourse("Drawing").ID, enrollment.Learner)

		p.Email, p.FirstName, p.LastName = "augusta@example.test", "Augusta", "King"
		p.AvatarURL, p.ActivatedAt, p.Unsubscribed, p.UpdatedAt = &avatar, &at, true, w.nextTime()
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.personSummary(p.ID), person.Summary{State: p, CourseCount: 1}), "")
		is.Equal(diff(w.personSummary(other.ID), person.Summary{State: other}), "") // no other person changed
		is.Equal(diff(w.enrollmentsOf(p.ID), []enrollment.Enrollment{enrolled}), "")

		p.FirstName, p.LastName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "", "", nil, nil, false
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.personSummary(p.ID), person.Summary{State: p, CourseCount: 1}), "")
	})

	t.Run("Save returns the same faults as Add for addresses", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p, holder := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		p.Email = "Grace@Example.Test"
		is.Equal(diffTaken(w.trySavePerson(p), "email", person.Type, holder.ID), "")
		p.Email = "grâce@example.test"
		is.NoErr(w.trySavePerson(p))
	})

	t.Run("Save accepts the person's own address, also in another case", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		for _, email := range []string{"ada@example.test", "Ada@Example.Test"} {
			p.Email = email
			is.NoErr(w.trySavePerson(p))
		}
		is.Equal(diff(w.personSummary(p.ID).State, p), "")
	})

	t.Run("Save returns NotFound for an unknown person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.True(isNotFound(w.trySavePerson(w.newPerson("ada@example.test"))))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("A former address is free", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		changed, removed := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		changed.Email = "augusta@example.test"
		is.NoErr(w.trySavePerson(changed))
		is.NoErr(w.tryDeletePerson(removed.ID))
		is.NoErr(w.tryAddPerson(w.newPerson("ADA@example.test")))
		is.NoErr(w.tryAddPerson(w.newPerson("GRACE@example.test")))
	})

	t.Run("Delete deletes the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p, other := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		is.NoErr(w.tryDeletePerson(p.ID))
		_, err := w.read().People.Get(w.ctx(), p.ID)
		is.True(isNotFound(err))
		is.Equal(diff(w.all().People, []person.Summary{{State: other}}), "")
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		is.NoErr(w.tryDeletePerson(p.ID))
		is.True(isNotFound(w.tryDeletePerson(p.ID)))
	})

	t.Run("Delete returns an error while enrollments of the person exist", func(t *testing.T) {
		for _, role := range []enrollment.Role{enrollment.Learner, enrollment.Manager} {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				p := w.addPerson("ada@example.test")
				w.enroll(p.ID, w.addCourse("Drawing").ID, role)
				w.mustRefuseRemoval(p.ID)
				w.do(func(ctx context.Context, tx ports.Tx) error {
					if err := tx.Enrollments.DeleteByPerson(ctx, p.ID); err != nil {
						return err
					}
					return tx.People.Delete(ctx, p.ID)
				})
				is.Equal(len(w.all().People), 0)
			})
		}
	})

	t.Run("Delete returns an error while memberships of the person exist", func(t *testing.T) {
		for _, role := range membership.Roles() {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				p := w.addPerson("ada@example.test")
				w.addMembership(p.ID, w.addGroup("Painters").ID, role)
				w.mustRefuseRemoval(p.ID)
				is.NoErr(w.deletePerson(p.ID))
				is.Equal(len(w.all().People), 0)
			})
		}
	})

	t.Run("Delete returns an error while course attempts, quiz attempts, submissions or events of the person exist", func(t *testing.T) {
		for name, record := range map[string]func(w world, l courseFixture) any{
			"course attempts": func(world, courseFixture) any { return nil },
			"completions": func(w world, l courseFixture) any {
				return attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: w.nextTime()}
			},
			"quiz attempts": func(w world, l courseFixture) any {
				return w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true)
			},
			"submissions": func(w world, l courseFixture) any { return w.newSubmission(l.attempt, l.assignmentActivity) },
		} {
			t.Run(name, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				l := newCourseFixture(w.tenant, "one")
				w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID)
				if more := record(w, l); more != nil {
					w.save(more)
				}
				w.mustRefuseRemoval(l.learner.ID)
				is.NoErr(w.deletePerson(l.learner.ID))
				is.Equal(len(w.all().People), 0)
			})
		}

		t.Run("events", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			l, p := newCourseFixture(w.tenant, "one"), w.addPerson("ada@example.test").ID
			w.append(w.nextTime(), event.NewView(p, l.text.ID))
			w.mustRefuseRemoval(p)
			is.NoErr(w.deletePerson(p))
			is.Equal(len(w.all().Events), 0)
		})
	})

	t.Run("Delete returns an error while partnerships of the person exist", func(t *testing.T) {
		w := newWorld(t, b)
		p := w.addPerson("ada@example.test")
		w.addPartner(p.ID, person.Owner)
		w.mustRefuseRemoval(p.ID)
	})
}

// mustRefuseRemoval checks that a person with dependent records cannot be deleted.
func (s tenant) mustRefuseRemoval(id person.ID) {
	s.t.Helper()
	is := is.New(s.t)
	before := s.all()
	err := s.tryDeletePerson(id)
	is.True(err != nil)
	is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
	is.Equal(diff(s.all(), before), "")
}

// personForUpdate returns a person as GetForUpdate returns it.
func (s tenant) personForUpdate(id person.ID) (person.State, error) {
	var p person.Person
	err := s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		p, err = tx.People.GetForUpdate(ctx, id)
		return err
	})
	return p.State(), err
}

// peopleForShare returns the states of the people that GetManyForShare returns.
func (s tenant) peopleForShare(ids ...person.ID) (map[person.ID]person.State, error) {
	states := map[person.ID]person.State{}
	err := s.try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.People.GetManyForShare(ctx, slices.Clone(ids))
		clear(states)
		for id, p := range found {
			states[id] = p.State()
		}
		return err
	})
	return states, err
}

// tryAddPerson adds a person.
func (s tenant) tryAddPerson(p person.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Add(ctx, person.Restore(p)) })
}

// trySavePerson saves an existing person.
func (s tenant) trySavePerson(p person.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Save(ctx, person.Restore(p)) })
}

// tryDeletePerson deletes a person, but not the records that refer to the person.
func (s tenant) tryDeletePerson(id person.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, id) })
}
