package storetest

import (
	"context"
	"errors"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// play is a transaction that writes to every kind of record, and what a school
// shows before and after it.
type play struct {
	before, after everything

	renamed, added category.State
	course         course.State
	changed, guest person.State
	partnership    person.Partnership
	arrival        enrollment.Enrollment
	gone           person.ID
	remaining      course.ID
	dropped        category.ID

	regrouped, club group.State // the club is new
	disbanded       group.ID
	joinGroup       membership.Membership // of the guest in the club
	recoded, offer  coupon.State          // the offer is new
	withdrawn       coupon.ID
	quit            membership.Membership // of the changed person in the regrouped group

	lesson     lesson // whose learner forgets all that they have done
	quiz       quiz.State
	paper      assignment.State
	test, work activity.State // of the course
	started    attempt.State  // of the guest, before and after
	attempted  attempt.State
	completed  attempt.Completion
	run, rerun quizattempt.State // before and after
	submission submission.Submission
	view       event.Event
}

// newPlay fills s with what the play needs and writes the play.
func newPlay(s tenant) play {
	s.t.Helper()
	design, music := s.newCategory("Design"), s.newCategory("Music")
	ada, grace := s.newPerson("ada@example.test"), s.newPerson("grace@example.test")
	drawing := s.newCourse("Drawing", under(design.ID, music.ID))
	spring, autumn := s.newCoupon("Spring"), s.newCoupon("Autumn")
	painters, singers := s.newGroup("Painters"), s.newGroup("Singers")
	quit := s.newMembership(ada.ID, painters.ID, membership.Member)
	s.keep(
		design, music, spring, autumn, ada, grace, drawing, s.newEnrollment(ada.ID, drawing.ID, enrollment.Learner),
		painters, holding{painters.ID, drawing.ID}, singers, holding{singers.ID, drawing.ID},
		quit, s.newMembership(ada.ID, singers.ID, membership.Member),
	)
	l := newLesson(s, "play")
	viewed := event.NewView(l.learner.ID, l.text.ID)
	viewed.CreatedAt = s.next()
	s.keep(s.newRun(l.attempt, l.test, l.quiz, 1, true), s.newSubmission(l.attempt, l.essay), viewed)
	p := play{
		before: s.all(), renamed: design, dropped: music.ID, changed: ada, gone: grace.ID, remaining: drawing.ID,
		added: s.newCategory("Theatre"), guest: s.newPerson("alan@example.test"),
		course: s.newCourse("Staging"), partnership: s.newPartner(ada.ID, person.Owner),
		regrouped: painters, club: s.newGroup("Stagers"), disbanded: singers.ID, quit: quit,
		recoded: spring, offer: s.newCoupon("Winter"), withdrawn: autumn.ID,
	}
	p.renamed.Name, p.renamed.UpdatedAt = "Drawing", s.next()
	p.recoded.Code, p.recoded.UsagesCount, p.recoded.EndOn, p.recoded.UpdatedAt = "Summer", 1, nil, s.next()
	p.changed.FirstName, p.changed.UpdatedAt = "Augusta", s.next()
	p.course.Categories = []category.ID{p.added.ID}
	p.course.Instructors = []person.PartnershipID{p.partnership.ID}
	p.arrival = s.newEnrollment(p.guest.ID, p.course.ID, enrollment.Learner)
	p.regrouped.Name, p.regrouped.UpdatedAt = "Artists", s.next()
	p.joinGroup = s.newMembership(p.guest.ID, p.club.ID, membership.Member)

	p.learn(s, l)

	drawing.Categories = []category.ID{design.ID}
	p.after = everything{
		School:     p.before.School,
		Categories: []category.State{p.renamed, p.added},
		Coupons:    []coupon.State{p.recoded, p.offer},
		Courses: []course.Summary{
			{State: drawing}, {State: l.course, EnrollmentsCount: 1}, {State: p.course, EnrollmentsCount: 1},
		},
		People: []person.Summary{
			{State: p.changed, Partnerships: []person.PartnershipID{p.partnership.ID}},
			{State: l.learner, CourseCount: 1},
			{State: p.guest, CourseCount: 1, GroupCount: 1},
		},
		Partnerships: []person.Partnership{p.partnership},
		Enrollments:  []enrollment.Summary{{Enrollment: p.arrival, Progress: &p.attempted.Progress}, atStart(l.enrollment)},
		Groups:       []group.Summary{{State: p.regrouped}, {State: p.club, MembershipCount: 1}},
		Memberships:  []membership.Membership{p.joinGroup},
		Activities:   []activity.State{l.essay, p.test, l.test, l.text, l.video, p.work},
		Quizzes: []quiz.Summary{
			{ID: p.quiz.ID, Name: p.quiz.Name, Activities: []activity.ID{p.test.ID}, CreatedAt: p.quiz.CreatedAt, UpdatedAt: p.quiz.UpdatedAt},
			{ID: l.quiz.ID, Name: l.quiz.Name, Activities: []activity.ID{l.test.ID}, CreatedAt: l.quiz.CreatedAt, UpdatedAt: l.quiz.UpdatedAt},
		},
		Assignments: []assignment.State{l.paper, p.paper},
		Events:      []event.Event{p.view},
	}
	after := lesson{course: p.course, quiz: p.quiz, test: p.test, paper: p.paper}
	p.after.Submissions = []submission.Summary{after.shownAs(p.submission, p.guest)}
	p.after.QuizScores = []analytics.QuizScore{after.scoreOf(p.rerun, p.guest)}
	for _, g := range p.rerun.Answers {
		p.after.RawAnswers = append([]analytics.RawAnswer{{
			QuizAttempt: p.rerun.ID, Answer: g, Position: g.Position, Person: p.guest.ID, Course: p.course.ID, CourseAttemptNumber: 1,
			Activity: p.test.ID, Quiz: p.quiz.ID, PersonName: p.guest.FullName(), PersonEmail: p.guest.Email,
			CourseName: p.course.Name, QuizName: p.quiz.Name, ActivityTitle: p.test.Title,
			QuestionText: p.quiz.Questions[g.Position.Number-1].Text,
		}}, p.after.RawAnswers...)
	}
	run := analytics.NewQuizAttempt(p.rerun)
	run.PersonName, run.PersonEmail = p.guest.FullName(), p.guest.Email
	run.CourseName, run.QuizName, run.ActivityTitle = p.course.Name, p.quiz.Name, p.test.Title
	p.after.QuizAttempts = []analytics.QuizAttempt{run}
	p.after.Completions = []analytics.Completion{{
		Completion: p.completed, Person: p.guest.ID, Course: p.course.ID, CourseAttemptNumber: 1, PersonName: p.guest.FullName(),
		PersonEmail: p.guest.Email, CourseName: p.course.Name, ActivityTitle: p.test.Title,
	}}
	p.after.CourseAnalytics = []analytics.CourseProgress{
		{
			Person: p.guest.ID, Course: p.course.ID, Attempt: p.attempted.ID, EnrolledAt: p.arrival.CreatedAt,
			LastActivityCompletedAt: p.attempted.LastCompletedAt, Progress: p.attempted.Progress,
			PersonName: p.guest.FullName(), PersonEmail: p.guest.Email, CourseName: p.course.Name,
		},
		{
			Person: l.learner.ID, Course: l.course.ID, EnrolledAt: l.enrollment.CreatedAt,
			PersonName: l.learner.FullName(), PersonEmail: l.learner.Email, CourseName: l.course.Name,
		},
	}
	return p
}

// learn writes the part of the guest, who does all that one can do in a course
// that is new itself, and of the learner of l.
func (p *play) learn(s tenant, l lesson) {
	p.lesson, p.quiz, p.paper = l, s.newQuiz("Questions", 2), s.newAssignment("Play")
	p.test = s.newActivity(p.course.ID, "Rehearsal", activity.QuizContent(p.quiz.ID))
	p.work = s.newActivity(p.course.ID, "Work", activity.AssignmentContent(p.paper.ID))
	p.started = s.newAttempt(p.guest.ID, p.course.ID, 1)
	p.completed = attempt.Completion{Attempt: p.started.ID, Activity: p.test.ID, At: s.next()}
	p.attempted = p.started
	p.attempted.Progress, p.attempted.LastCompletedAt = 5000, &p.completed.At
	p.run = s.newRun(p.started, p.test, p.quiz, 1, false)
	p.rerun = p.run
	p.rerun.Answers = append(slices.Clone(p.run.Answers), s.newAnswer(p.quiz, 2, true))
	p.rerun = marked(p.rerun, p.quiz)
	p.submission = s.newSubmission(p.started, p.work)
	p.view = event.NewView(p.guest.ID, p.test.ID)
	p.view.CreatedAt = s.next()
}

// act is the play.
func (p play) act(ctx context.Context, tx ports.Tx) error {
	steps := []func() error{
		func() error { return tx.Categories.Save(ctx, category.Restore(p.renamed)) },
		func() error { return tx.Categories.Add(ctx, category.Restore(p.added)) },
		func() error { return tx.Courses.DetachCategory(ctx, p.dropped) },
		func() error { return tx.Categories.Delete(ctx, p.dropped) },
		func() error { return tx.Coupons.Save(ctx, coupon.Restore(p.recoded)) },
		func() error { return tx.Coupons.Delete(ctx, p.withdrawn) },
		func() error { return tx.Coupons.Add(ctx, coupon.Restore(p.offer)) },
		func() error { return tx.People.Save(ctx, person.Restore(p.changed)) },
		func() error { return tx.People.Delete(ctx, p.gone) },
		func() error { return tx.People.Add(ctx, person.Restore(p.guest)) },
		func() error { return second(tx.Partnerships.AddIfAbsent(ctx, p.partnership)) },
		func() error { return tx.Courses.Add(ctx, course.Restore(p.course)) },
		func() error {
			return second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{p.arrival}))
		},
		func() error {
			return second(tx.Enrollments.RemoveFromCourses(ctx, p.changed.ID, enrollment.Learner, []course.ID{p.remaining}))
		},
		func() error { return tx.Groups.Save(ctx, group.Restore(p.regrouped)) },
		func() error { return tx.Memberships.Delete(ctx, p.quit.ID) },
		func() error { return tx.Memberships.DeleteByGroup(ctx, p.disbanded) },
		func() error { return tx.Groups.Delete(ctx, p.disbanded) },
		func() error { return tx.Groups.Add(ctx, group.Restore(p.club)) },
		func() error { return second(tx.Groups.AddCourses(ctx, p.club.ID, []course.ID{p.course.ID})) },
		func() error {
			return second(tx.Memberships.AddIfAbsent(ctx, []membership.Membership{p.joinGroup}))
		},
		func() error { return second(tx.Submissions.DeleteByPerson(ctx, p.lesson.learner.ID)) },
		func() error { return tx.QuizAttempts.DeleteByPerson(ctx, p.lesson.learner.ID) },
		func() error { return tx.Attempts.DeleteByPerson(ctx, p.lesson.learner.ID) },
		func() error { return tx.Quizzes.Add(ctx, quiz.Restore(p.quiz)) },
		func() error { return tx.Assignments.Add(ctx, assignment.Restore(p.paper)) },
		func() error { return tx.Activities.Add(ctx, activity.Restore(p.test)) },
		func() error { return tx.Activities.Add(ctx, activity.Restore(p.work)) },
		func() error { return tx.Attempts.Add(ctx, attempt.Restore(p.started)) },
		func() error { return second(tx.Attempts.AddCompletionIfAbsent(ctx, p.completed)) },
		func() error { return tx.Attempts.Save(ctx, attempt.Restore(p.attempted)) },
		func() error { return tx.QuizAttempts.Add(ctx, quizattempt.Restore(p.run)) },
		func() error { return tx.QuizAttempts.Save(ctx, quizattempt.Restore(p.rerun)) },
		func() error { return tx.Submissions.Add(ctx, p.submission) },
		func() error { return tx.Events.DeleteByPerson(ctx, p.lesson.learner.ID) },
		func() error { return second(tx.Events.Append(ctx, []event.Event{p.view}, p.view.CreatedAt)) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// actAndWatch plays and then looks at what was written, from inside.
func (p play) actAndWatch(ctx context.Context, tx ports.Tx) error {
	if err := p.act(ctx, tx); err != nil {
		return err
	}
	return errors.Join(
		p.watchPeople(ctx, tx), p.watchCourses(ctx, tx), p.watchGroups(ctx, tx), p.watchCoupons(ctx, tx), p.watchLearning(ctx, tx))
}

func (p play) watchPeople(ctx context.Context, tx ports.Tx) error {
	changed, errChanged := tx.People.GetForUpdate(ctx, p.changed.ID)
	loaded, errLoaded := tx.People.GetManyForShare(ctx, []person.ID{p.gone, p.changed.ID})
	guest, errGuest := tx.People.Get(ctx, p.guest.ID)
	_, errGone := tx.People.GetForUpdate(ctx, p.gone)
	parts, errParts := tx.Partnerships.ByPerson(ctx, p.changed.ID)
	if err := errors.Join(errChanged, errLoaded, errGuest, errParts); err != nil {
		return err
	}
	guest.CourseCount, guest.GroupCount = 0, 0 // counts are promised for the end
	return unlike(
		[]any{changed.State(), len(loaded), loaded[p.changed.ID].State(), guest, isMissing(errGone), parts},
		[]any{p.changed, 1, p.changed, person.Summary{State: p.guest}, true, []person.Partnership{p.partnership}},
	)
}

func (p play) watchCourses(ctx context.Context, tx ports.Tx) error {
	categories, errCategories := tx.Categories.List(ctx, query.Query{Page: query.AllRows()})
	renamed, errRenamed := tx.Categories.GetForUpdate(ctx, p.renamed.ID)
	_, errRemoved := tx.Categories.GetForUpdate(ctx, p.dropped)
	courses, errCourses := tx.Courses.GetManyForShare(ctx, []course.ID{p.course.ID})
	id, errLink := tx.Courses.ByPermalink(ctx, p.course.Permalink)
	arrived, errArrived := tx.Enrollments.ByPerson(ctx, p.guest.ID)
	left, errLeft := tx.Enrollments.ByPerson(ctx, p.changed.ID)
	if err := errors.Join(errCategories, errRenamed, errCourses, errLink, errArrived, errLeft); err != nil {
		return err
	}
	return unlike(
		[]any{categories.Items, renamed.State(), isMissing(errRemoved), courses[p.course.ID].State(), id, arrived, len(left)},
		[]any{p.after.Categories, p.renamed, true, p.course, p.course.ID, []enrollment.Enrollment{p.arrival}, 0},
	)
}

func (p play) watchGroups(ctx context.Context, tx ports.Tx) error {
	renamed, errRenamed := tx.Groups.GetForUpdate(ctx, p.regrouped.ID)
	loaded, errLoaded := tx.Groups.GetManyForShare(ctx, []group.ID{p.disbanded, p.club.ID})
	_, errDisbanded := tx.Groups.Get(ctx, p.disbanded)
	held, errHeld := tx.Groups.CourseIDs(ctx, []group.ID{p.disbanded, p.club.ID})
	list, errList := tx.Memberships.List(ctx, query.Query{Page: query.AllRows()})
	seat, errSeat := tx.Memberships.Get(ctx, p.joinGroup.ID)
	_, errQuit := tx.Memberships.Get(ctx, p.quit.ID)
	members, errMembers := tx.Memberships.MemberIDs(ctx, p.club.ID)
	if err := errors.Join(errRenamed, errLoaded, errHeld, errList, errSeat, errMembers); err != nil {
		return err
	}
	return unlike(
		[]any{
			renamed.State(), len(loaded), loaded[p.club.ID].State(), isMissing(errDisbanded), held,
			list.Items, seat, isMissing(errQuit), members,
		},
		[]any{
			p.regrouped, 1, p.club, true,
			map[group.ID][]course.ID{p.club.ID: {p.course.ID}},
			p.after.Memberships, p.joinGroup, true,
			[]person.ID{p.guest.ID},
		},
	)
}

func (p play) watchCoupons(ctx context.Context, tx ports.Tx) error {
	list, errList := tx.Coupons.List(ctx, query.Query{Page: query.AllRows()})
	changed, errChanged := tx.Coupons.GetForUpdate(ctx, p.recoded.ID)
	added, errAdded := tx.Coupons.Get(ctx, p.offer.ID)
	_, errGone := tx.Coupons.Get(ctx, p.withdrawn)
	if err := errors.Join(errList, errChanged, errAdded); err != nil {
		return err
	}
	return unlike(
		[]any{list.Items, changed.State(), added, isMissing(errGone)},
		[]any{p.after.Coupons, p.recoded, p.offer, true},
	)
}

func (p play) watchLearning(ctx context.Context, tx ports.Tx) error {
	e, errEnrollment := tx.Enrollments.GetForUpdate(ctx, p.guest.ID, p.course.ID, enrollment.Learner)
	latest, errLatest := tx.Attempts.Latest(ctx, p.guest.ID, p.course.ID)
	tally, errTally := tallyOf(ctx, tx, p.started.ID)
	_, errForgotten := tx.Attempts.Latest(ctx, p.lesson.learner.ID, p.lesson.course.ID)
	run, errRun := tx.QuizAttempts.Latest(ctx, p.started.ID, p.test.ID)
	loaded, errQuiz := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{p.quiz.ID})
	acts, errActs := tx.Activities.List(ctx, query.Query{Page: query.AllRows()})
	papers, errPapers := tx.Assignments.List(ctx, query.Query{Page: query.AllRows()})
	handed, errHanded := tx.Submissions.List(ctx, query.Query{Page: query.AllRows()})
	told, errTold := tx.Events.List(ctx, query.Query{Page: query.AllRows()})
	err := errors.Join(
		errEnrollment, errLatest, errTally, errRun, errQuiz, errActs, errPapers, errHanded, errTold)
	if err != nil {
		return err
	}
	return unlike(
		[]any{
			e, latest.State(), tally, isMissing(errForgotten), run.State(), loaded[p.quiz.ID].State(),
			acts.Items, papers.Items, handed.Items, told.Items,
		},
		[]any{
			p.arrival, p.attempted,
			attempt.Tally{Completed: 1, Activities: 2, LastCompletedAt: &p.completed.At},
			true, p.rerun, p.quiz,
			p.after.Activities, p.after.Assignments, p.after.Submissions, p.after.Events,
		},
	)
}

// unlike returns what got is not want in as an error.
func unlike(got, want []any) error {
	if d := diff(got, want); d != "" {
		return errors.New(d)
	}
	return nil
}
