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

// people tests ports.PersonReader and ports.PersonRepo; their lists are tested
// with all others.
func people(t *testing.T, b Backend) {
	t.Run("Get returns the person id as documents show one", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		avatar, at := "https://img.example.test/ada.png", w.next()
		ada := w.addPerson("ada@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		w.addPerson("grace@example.test")
		drawing, singing := w.addCourse("Drawing"), w.addCourse("Singing")
		w.enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.enroll(ada.ID, singing.ID, enrollment.Learner)
		part := w.addPartner(ada.ID, person.Manager)
		want := person.Summary{State: ada, CourseCount: 2, Partnerships: []person.PartnershipID{part.ID}}
		is.Equal(diff(w.summary(ada.ID), want), "")
		var got person.Summary
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.People.Get(ctx, ada.ID)
			return err
		})
		is.Equal(diff(got, want), "")
	})

	t.Run("Get returns NotFound when there is none", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		w.addPerson("ada@example.test")
		_, err := w.read().People.Get(w.ctx(), w.newPerson("grace@example.test").ID)
		is.True(isMissing(err))
	})

	t.Run("Find returns the person id", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		for _, want := range []person.State{grace, ada} {
			got, err := w.findPerson(want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("Find returns NotFound when there is none", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		w.addPerson("ada@example.test")
		_, err := w.findPerson(w.newPerson("grace@example.test").ID)
		is.True(isMissing(err))
	})

	t.Run("Load returns the people ids, each once, by id; those that the school has not are absent", func(t *testing.T) {
		w := begin(t, b)
		avatar, at := "https://img.example.test/ada.png", w.next()
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
			{"none asked for", nil, nil},
			{"one", []person.ID{ada.ID}, []person.State{ada}},
			{"several", []person.ID{alan.ID, ada.ID}, []person.State{alan, ada}},
			{"one twice", []person.ID{ada.ID, grace.ID, ada.ID}, []person.State{ada, grace}},
			{"an unknown one", []person.ID{none, ada.ID}, []person.State{ada}},
			{"only unknown ones", []person.ID{none}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				got, err := w.loadPeople(tt.ids...)
				is.NoErr(err)
				want := map[person.ID]person.State{}
				for _, p := range tt.want {
					want[p.ID] = p
				}
				is.Equal(diff(got, want), "")
			})
		}
	})

	t.Run("Add keeps a new person", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		avatar, at := "https://img.example.test/é.png?a=%20", w.next()
		bare := w.newPerson("a@example.test", func(p *person.State) { p.FirstName, p.LastName = "", "" })
		full := w.newPerson("b@example.test", func(p *person.State) {
			p.AvatarURL, p.ActivatedAt, p.Unsubscribed = &avatar, &at, true
		})
		is.NoErr(w.tryAddPerson(full))
		is.NoErr(w.tryAddPerson(bare))
		is.Equal(diff(w.all().People, []person.Summary{{State: bare}, {State: full}}), "")
	})

	t.Run("An address whose text.Key another person has is Invalid, on the field email, with that person as the holder", func(t *testing.T) {
		for _, tt := range sameKeys {
			held, wanted := tt.held+"@example.test", tt.wanted+"@Example.Test"
			t.Run(held+" "+wanted, func(t *testing.T) {
				is, w := is.New(t), begin(t, b)
				w.addPerson("other@example.test")
				holder := w.addPerson(held)
				is.Equal(taken(w.tryAddPerson(w.newPerson(wanted)), "email", person.Type, holder.ID), "")
			})
		}
	})

	t.Run("An address with another text.Key is free, though it may fold alike", func(t *testing.T) {
		for _, tt := range differentKeys {
			held, wanted := tt.held+"@example.test", tt.wanted+"@example.test"
			t.Run(held+" "+wanted, func(t *testing.T) {
				is, w := is.New(t), begin(t, b)
				w.addPerson(held)
				is.NoErr(w.tryAddPerson(w.newPerson(wanted)))
			})
		}
	})

	t.Run("Save keeps a changed person", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		avatar, at := "https://img.example.test/ada.png", w.next()
		p, other := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		enrolled := w.enroll(p.ID, w.addCourse("Drawing").ID, enrollment.Learner)

		p.Email, p.FirstName, p.LastName = "augusta@example.test", "Augusta", "King"
		p.AvatarURL, p.ActivatedAt, p.Unsubscribed, p.UpdatedAt = &avatar, &at, true, w.next()
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.summary(p.ID), person.Summary{State: p, CourseCount: 1}), "")
		is.Equal(diff(w.summary(other.ID), person.Summary{State: other}), "") // nobody else changed
		is.Equal(diff(w.enrollmentsOf(p.ID), []enrollment.Enrollment{enrolled}), "")

		p.FirstName, p.LastName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "", "", nil, nil, false
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.summary(p.ID), person.Summary{State: p, CourseCount: 1}), "")
	})

	t.Run("Save is under Add's rule on addresses", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		p, holder := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		p.Email = "Grace@Example.Test"
		is.Equal(taken(w.trySavePerson(p), "email", person.Type, holder.ID), "")
		p.Email = "grâce@example.test"
		is.NoErr(w.trySavePerson(p))
	})

	t.Run("Save lets a person keep the own address, in other letters too", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		p := w.addPerson("ada@example.test")
		for _, email := range []string{"ada@example.test", "Ada@Example.Test"} {
			p.Email = email
			is.NoErr(w.trySavePerson(p))
		}
		is.Equal(diff(w.summary(p.ID).State, p), "")
	})

	t.Run("Save returns NotFound when there is no such person", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		is.True(isMissing(w.trySavePerson(w.newPerson("ada@example.test"))))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("An address that was given up is free", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		changed, removed := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		changed.Email = "augusta@example.test"
		is.NoErr(w.trySavePerson(changed))
		is.NoErr(w.tryRemovePerson(removed.ID))
		is.NoErr(w.tryAddPerson(w.newPerson("ADA@example.test")))
		is.NoErr(w.tryAddPerson(w.newPerson("GRACE@example.test")))
	})

	t.Run("Remove forgets the person id", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		p, other := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		is.NoErr(w.tryRemovePerson(p.ID))
		_, err := w.read().People.Get(w.ctx(), p.ID)
		is.True(isMissing(err))
		is.Equal(diff(w.all().People, []person.Summary{{State: other}}), "")
	})

	t.Run("Remove returns NotFound when there is none", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		p := w.addPerson("ada@example.test")
		is.NoErr(w.tryRemovePerson(p.ID))
		is.True(isMissing(w.tryRemovePerson(p.ID)))
	})

	t.Run("Remove refuses with an error while enrollments of the person exist", func(t *testing.T) {
		for _, role := range []enrollment.Role{enrollment.Learner, enrollment.Manager} {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), begin(t, b)
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

	t.Run("Remove refuses with an error while memberships of the person exist", func(t *testing.T) {
		for _, role := range membership.Roles() {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), begin(t, b)
				p := w.addPerson("ada@example.test")
				w.join(p.ID, w.addGroup("Painters").ID, role)
				w.mustRefuseRemoval(p.ID)
				is.NoErr(w.deletePerson(p.ID))
				is.Equal(len(w.all().People), 0)
			})
		}
	})

	t.Run("Remove refuses with an error while course attempts, quiz attempts, submissions or events of the person exist", func(t *testing.T) {
		for name, record := range map[string]func(w world, l lesson) any{
			"course attempts": func(world, lesson) any { return nil },
			"completions": func(w world, l lesson) any {
				return attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: w.next()}
			},
			"quiz attempts": func(w world, l lesson) any { return w.newRun(l.attempt, l.test, l.quiz, 1, true) },
			"submissions":   func(w world, l lesson) any { return w.newSubmission(l.attempt, l.essay) },
		} {
			t.Run(name, func(t *testing.T) {
				is, w := is.New(t), begin(t, b)
				l := newLesson(w.tenant, "one")
				w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID)
				if more := record(w, l); more != nil {
					w.keep(more)
				}
				w.mustRefuseRemoval(l.learner.ID)
				is.NoErr(w.deletePerson(l.learner.ID))
				is.Equal(len(w.all().People), 0)
			})
		}

		t.Run("events", func(t *testing.T) {
			is, w := is.New(t), begin(t, b)
			l, p := newLesson(w.tenant, "one"), w.addPerson("ada@example.test").ID
			w.append(w.next(), event.NewView(p, l.text.ID))
			w.mustRefuseRemoval(p)
			is.NoErr(w.deletePerson(p))
			is.Equal(len(w.all().Events), 0)
		})
	})

	t.Run("Remove refuses with an error while partnerships of the person exist", func(t *testing.T) {
		w := begin(t, b)
		p := w.addPerson("ada@example.test")
		w.addPartner(p.ID, person.Owner)
		w.mustRefuseRemoval(p.ID)
	})
}

func (s tenant) mustRefuseRemoval(id person.ID) {
	s.t.Helper()
	is := is.New(s.t)
	before := s.all()
	err := s.tryRemovePerson(id)
	is.True(err != nil)
	is.True(fault.All(err) == nil) // a defect of the use case, nothing to tell a client
	is.Equal(diff(s.all(), before), "")
}

func (s tenant) findPerson(id person.ID) (person.State, error) {
	var p person.Person
	err := s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		p, err = tx.People.GetForUpdate(ctx, id)
		return err
	})
	return p.State(), err
}

// loadPeople returns the states of what Load finds.
func (s tenant) loadPeople(ids ...person.ID) (map[person.ID]person.State, error) {
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

func (s tenant) tryAddPerson(p person.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Add(ctx, person.Restore(p)) })
}

func (s tenant) trySavePerson(p person.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Save(ctx, person.Restore(p)) })
}

func (s tenant) tryRemovePerson(id person.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, id) })
}
