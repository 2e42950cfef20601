package storetest

import (
	"context"
	"errors"
	"math"
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
	"lyceum/domain/structure"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// scenario is a transaction that writes records of every kind. It also contains the expected
// contents of the school before and after the transaction.
type scenario struct {
	before, after everything

	renamed, added  category.State
	course          course.State
	changed, guest  person.State
	partnership     person.Partnership
	newEnrollment   enrollment.Enrollment
	deletedPerson   person.ID
	remaining       course.ID
	deletedCategory category.ID

	changedGroup, newGroup   group.State
	deletedGroup             group.ID
	newMembership            membership.Membership // membership of the guest in newGroup
	changedCoupon, newCoupon coupon.State
	deletedCoupon            coupon.ID
	removedMembership        membership.Membership // membership of the changed person in changedGroup

	coursework                       courseFixture // the learner's data is deleted
	quiz                             quiz.State
	assignment                       assignment.State
	quizActivity, assignmentActivity activity.State // activities of the course
	attempt                          attempt.State  // the guest's attempt as added; changedAttempt is its update
	changedAttempt                   attempt.State
	completion                       attempt.Completion
	quizAttempt, changedQuizAttempt  quizattempt.State // the quiz attempt as added, and its update
	submission                       submission.Submission
	view                             event.Event
}

// newScenario adds to s the records that the scenario needs, and returns the scenario.
func newScenario(s tenant) scenario {
	s.t.Helper()
	design, music := s.newCategory("Design"), s.newCategory("Music")
	ada, grace := s.newPerson("ada@example.test"), s.newPerson("grace@example.test")
	drawing := s.newCourse("Drawing", inCategories(design.ID, music.ID))
	spring, autumn := s.newCoupon("Spring"), s.newCoupon("Autumn")
	painters, singers := s.newGroup("Painters"), s.newGroup("Singers")
	quit := s.newMembership(ada.ID, painters.ID, membership.Member)
	s.save(
		design, music, spring, autumn, ada, grace, drawing, s.newEnrollment(ada.ID, drawing.ID, enrollment.Learner),
		painters, groupCourse{painters.ID, drawing.ID}, singers, groupCourse{singers.ID, drawing.ID},
		quit, s.newMembership(ada.ID, singers.ID, membership.Member),
	)
	l := newCourseFixture(s, "play")
	viewed := event.NewView(l.learner.ID, l.text.ID)
	viewed.CreatedAt = s.nextTime()
	s.save(s.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true), s.newSubmission(l.attempt, l.assignmentActivity), viewed)
	p := scenario{
		before: s.all(), renamed: design, deletedCategory: music.ID, changed: ada, deletedPerson: grace.ID, remaining: drawing.ID,
		added: s.newCategory("Theatre"), guest: s.newPerson("alan@example.test"),
		course: s.newCourse("Staging"), partnership: s.newPartner(ada.ID, person.Owner),
		changedGroup: painters, newGroup: s.newGroup("Stagers"), deletedGroup: singers.ID, removedMembership: quit,
		changedCoupon: spring, newCoupon: s.newCoupon("Winter"), deletedCoupon: autumn.ID,
	}
	p.renamed.Name, p.renamed.UpdatedAt = "Drawing", s.nextTime()
	p.changedCoupon.Code, p.changedCoupon.UsagesCount, p.changedCoupon.EndOn, p.changedCoupon.UpdatedAt = "Summer", 1, nil, s.nextTime()
	p.changed.FirstName, p.changed.UpdatedAt = "Augusta", s.nextTime()
	p.course.Categories = []category.ID{p.added.ID}
	p.course.Instructors = []person.PartnershipID{p.partnership.ID}
	p.newEnrollment = s.newEnrollment(p.guest.ID, p.course.ID, enrollment.Learner)
	p.changedGroup.Name, p.changedGroup.UpdatedAt = "Artists", s.nextTime()
	p.newMembership = s.newMembership(p.guest.ID, p.newGroup.ID, membership.Member)

	p.addLearning(s, l)

	drawing.Categories = []category.ID{design.ID}
	p.after = everything{
		School:     p.before.School,
		Categories: []category.State{p.renamed, p.added},
		Coupons:    []coupon.State{p.changedCoupon, p.newCoupon},
		Courses: []course.Summary{
			{State: drawing}, {State: l.course, EnrollmentsCount: 1}, {State: p.course, EnrollmentsCount: 1},
		},
		People: []person.Summary{
			{State: p.changed, Partnerships: []person.PartnershipID{p.partnership.ID}},
			{State: l.learner, CourseCount: 1},
			{State: p.guest, CourseCount: 1, GroupCount: 1},
		},
		Partnerships: []person.Partnership{p.partnership},
		Enrollments:  []enrollment.Summary{{Enrollment: p.newEnrollment, Progress: &p.changedAttempt.Progress}, withoutAttempt(l.enrollment)},
		Groups:       []group.Summary{{State: p.changedGroup}, {State: p.newGroup, MembershipCount: 1}},
		Memberships:  []membership.Membership{p.newMembership},
		Activities:   []activity.State{l.assignmentActivity, p.quizActivity, l.quizActivity, l.text, l.video, p.assignmentActivity},
		Quizzes: []quiz.Summary{
			{ID: p.quiz.ID, Name: p.quiz.Name, Activities: []activity.ID{p.quizActivity.ID}, CreatedAt: p.quiz.CreatedAt, UpdatedAt: p.quiz.UpdatedAt},
			{ID: l.quiz.ID, Name: l.quiz.Name, Activities: []activity.ID{l.quizActivity.ID}, CreatedAt: l.quiz.CreatedAt, UpdatedAt: l.quiz.UpdatedAt},
		},
		Assignments: []assignment.State{l.assignment, p.assignment},
		Events:      []event.Event{p.view},
	}
	after := courseFixture{course: p.course, quiz: p.quiz, quizActivity: p.quizActivity, assignment: p.assignment}
	p.after.Submissions = []submission.Summary{after.summaryBy(p.submission, p.guest)}
	p.after.QuizScores = []analytics.QuizScore{after.scoreOf(p.changedQuizAttempt, p.guest)}
	for _, g := range p.changedQuizAttempt.Answers {
		p.after.RawAnswers = append([]analytics.RawAnswer{{
			QuizAttempt: p.changedQuizAttempt.ID, Answer: g, Position: g.Position, Person: p.guest.ID, Course: p.course.ID, CourseAttemptNumber: 1,
			Activity: p.quizActivity.ID, Quiz: p.quiz.ID, PersonName: p.guest.FullName(), PersonEmail: p.guest.Email,
			CourseName: p.course.Name, QuizName: p.quiz.Name, ActivityTitle: p.quizActivity.Title,
			QuestionText: p.quiz.Questions[g.Position.Number-1].Text,
		}}, p.after.RawAnswers...)
	}
	run := analytics.NewQuizAttempt(p.changedQuizAttempt)
	run.PersonName, run.PersonEmail = p.guest.FullName(), p.guest.Email
	run.CourseName, run.QuizName, run.ActivityTitle = p.course.Name, p.quiz.Name, p.quizActivity.Title
	p.after.QuizAttempts = []analytics.QuizAttempt{run}
	p.after.Completions = []analytics.Completion{{
		Completion: p.completion, Person: p.guest.ID, Course: p.course.ID, CourseAttemptNumber: 1, PersonName: p.guest.FullName(),
		PersonEmail: p.guest.Email, CourseName: p.course.Name, ActivityTitle: p.quizActivity.Title,
	}}
	p.after.CourseAnalytics = []analytics.CourseProgress{
		{
			Person: p.guest.ID, Course: p.course.ID, Attempt: p.changedAttempt.ID, EnrolledAt: p.newEnrollment.CreatedAt,
			LastActivityCompletedAt: p.changedAttempt.LastCompletedAt, Progress: p.changedAttempt.Progress,
			PersonName: p.guest.FullName(), PersonEmail: p.guest.Email, CourseName: p.course.Name,
		},
		{
			Person: l.learner.ID, Course: l.course.ID, EnrolledAt: l.enrollment.CreatedAt,
			PersonName: l.learner.FullName(), PersonEmail: l.learner.Email, CourseName: l.course.Name,
		},
	}
	return p
}

// addLearning sets the learner data of the scenario: the new data of the guest in a new course, and
// the existing data of the learner of l, which the transaction deletes.
func (p *scenario) addLearning(s tenant, l courseFixture) {
	p.coursework, p.quiz, p.assignment = l, s.newQuiz("Questions", 2), s.newAssignment("Play")
	p.quizActivity = s.newActivity(p.course.ID, "Quiz", activity.QuizContent(p.quiz.ID))
	p.assignmentActivity = s.newActivity(p.course.ID, "Work", activity.AssignmentContent(p.assignment.ID))
	p.attempt = s.newAttempt(p.guest.ID, p.course.ID, 1)
	p.completion = attempt.Completion{Attempt: p.attempt.ID, Activity: p.quizActivity.ID, At: s.nextTime()}
	p.changedAttempt = p.attempt
	p.changedAttempt.Progress, p.changedAttempt.LastCompletedAt = 5000, &p.completion.At
	p.quizAttempt = s.newQuizAttempt(p.attempt, p.quizActivity, p.quiz, 1, false)
	p.changedQuizAttempt = p.quizAttempt
	p.changedQuizAttempt.Answers = append(slices.Clone(p.quizAttempt.Answers), s.newAnswer(p.quiz, 2, true))
	p.changedQuizAttempt = graded(p.changedQuizAttempt, p.quiz)
	p.submission = s.newSubmission(p.attempt, p.assignmentActivity)
	p.view = event.NewView(p.guest.ID, p.quizActivity.ID)
	p.view.CreatedAt = s.nextTime()
}

// run performs all writes of the scenario in tx.
func (p scenario) run(ctx context.Context, tx ports.Tx) error {
	steps := []func() error{
		func() error { return tx.Categories.Save(ctx, category.Restore(p.renamed)) },
		func() error { return tx.Categories.Add(ctx, category.Restore(p.added)) },
		func() error { return tx.Courses.DetachCategory(ctx, p.deletedCategory) },
		func() error { return tx.Categories.Delete(ctx, p.deletedCategory) },
		func() error { return tx.Coupons.Save(ctx, coupon.Restore(p.changedCoupon)) },
		func() error { return tx.Coupons.Delete(ctx, p.deletedCoupon) },
		func() error { return tx.Coupons.Add(ctx, coupon.Restore(p.newCoupon)) },
		func() error { return tx.People.Save(ctx, person.Restore(p.changed)) },
		func() error { return tx.People.Delete(ctx, p.deletedPerson) },
		func() error { return tx.People.Add(ctx, person.Restore(p.guest)) },
		func() error { return second(tx.Partnerships.AddIfAbsent(ctx, p.partnership)) },
		func() error { return tx.Courses.Add(ctx, course.Restore(p.course)) },
		func() error {
			return second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{p.newEnrollment}))
		},
		func() error {
			return second(tx.Enrollments.RemoveFromCourses(ctx, p.changed.ID, enrollment.Learner, []course.ID{p.remaining}))
		},
		func() error { return tx.Groups.Save(ctx, group.Restore(p.changedGroup)) },
		func() error { return tx.Memberships.Delete(ctx, p.removedMembership.ID) },
		func() error { return second(tx.Memberships.DeleteByGroup(ctx, p.deletedGroup, math.MaxInt32)) },
		func() error { return tx.Groups.Delete(ctx, p.deletedGroup) },
		func() error { return tx.Groups.Add(ctx, group.Restore(p.newGroup)) },
		func() error { return second(tx.Groups.AddCourses(ctx, p.newGroup.ID, []course.ID{p.course.ID})) },
		func() error {
			return second(tx.Memberships.AddIfAbsent(ctx, []membership.Membership{p.newMembership}))
		},
		func() error {
			return second(tx.Submissions.DeleteByPerson(ctx, p.coursework.learner.ID, math.MaxInt32))
		},
		func() error {
			return second(tx.QuizAttempts.DeleteByPerson(ctx, p.coursework.learner.ID, math.MaxInt32))
		},
		func() error { return second(tx.Attempts.DeleteByPerson(ctx, p.coursework.learner.ID, math.MaxInt32)) },
		func() error {
			return tx.Structures.Save(ctx, structure.Revision{
				AddedQuizzes: []quiz.Quiz{quiz.Restore(p.quiz)}, AddedAssignments: []assignment.Assignment{assignment.Restore(p.assignment)},
				Added: []activity.Activity{activity.Restore(p.quizActivity), activity.Restore(p.assignmentActivity)},
			})
		},
		func() error { return tx.Attempts.Add(ctx, attempt.Restore(p.attempt)) },
		func() error { return second(addCompletion(ctx, tx, p.completion)) },
		func() error { return tx.Attempts.Save(ctx, attempt.Restore(p.changedAttempt)) },
		func() error { return tx.QuizAttempts.Add(ctx, quizattempt.Restore(p.quizAttempt)) },
		func() error { return tx.QuizAttempts.Save(ctx, quizattempt.Restore(p.changedQuizAttempt)) },
		func() error { return tx.Submissions.Add(ctx, p.submission) },
		func() error { return second(tx.Events.DeleteByPerson(ctx, p.coursework.learner.ID, math.MaxInt32)) },
		func() error { return second(tx.Events.Append(ctx, []event.Event{p.view}, p.view.CreatedAt)) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// runAndCheck performs all writes and checks that tx reads them.
func (p scenario) runAndCheck(ctx context.Context, tx ports.Tx) error {
	if err := p.run(ctx, tx); err != nil {
		return err
	}
	return errors.Join(
		p.watchPeople(ctx, tx), p.watchCourses(ctx, tx), p.watchGroups(ctx, tx), p.watchCoupons(ctx, tx), p.watchLearning(ctx, tx))
}

func (p scenario) watchPeople(ctx context.Context, tx ports.Tx) error {
	changed, errChanged := tx.People.GetForUpdate(ctx, p.changed.ID)
	loaded, errLoaded := tx.People.GetManyForShare(ctx, []person.ID{p.deletedPerson, p.changed.ID})
	guest, errGuest := tx.People.Get(ctx, p.guest.ID)
	_, errGone := tx.People.GetForUpdate(ctx, p.deletedPerson)
	parts, errParts := tx.Partnerships.ByPerson(ctx, p.changed.ID)
	if err := errors.Join(errChanged, errLoaded, errGuest, errParts); err != nil {
		return err
	}
	guest.CourseCount, guest.GroupCount = 0, 0 // counts are correct only at the end of the transaction
	return diffError(
		[]any{changed.State(), len(loaded), loaded[p.changed.ID].State(), guest, isNotFound(errGone), parts},
		[]any{p.changed, 1, p.changed, person.Summary{State: p.guest}, true, []person.Partnership{p.partnership}},
	)
}

func (p scenario) watchCourses(ctx context.Context, tx ports.Tx) error {
	categories, errCategories := tx.Categories.List(ctx, query.Query{Page: query.AllRows()})
	renamed, errRenamed := tx.Categories.GetForUpdate(ctx, p.renamed.ID)
	_, errRemoved := tx.Categories.GetForUpdate(ctx, p.deletedCategory)
	courses, errCourses := tx.Courses.GetManyForShare(ctx, []course.ID{p.course.ID})
	id, errLink := tx.Courses.IDByPermalink(ctx, p.course.Permalink)
	arrived, errArrived := tx.Enrollments.ByPerson(ctx, p.guest.ID)
	left, errLeft := tx.Enrollments.ByPerson(ctx, p.changed.ID)
	if err := errors.Join(errCategories, errRenamed, errCourses, errLink, errArrived, errLeft); err != nil {
		return err
	}
	return diffError(
		[]any{categories.Items, renamed.State(), isNotFound(errRemoved), courses[p.course.ID].State(), id, arrived, len(left)},
		[]any{p.after.Categories, p.renamed, true, p.course, p.course.ID, []enrollment.Enrollment{p.newEnrollment}, 0},
	)
}

func (p scenario) watchGroups(ctx context.Context, tx ports.Tx) error {
	renamed, errRenamed := tx.Groups.GetForUpdate(ctx, p.changedGroup.ID)
	loaded, errLoaded := tx.Groups.GetManyForShare(ctx, []group.ID{p.deletedGroup, p.newGroup.ID})
	_, errDisbanded := tx.Groups.Get(ctx, p.deletedGroup)
	held, errHeld := tx.Groups.CourseIDs(ctx, []group.ID{p.deletedGroup, p.newGroup.ID})
	list, errList := tx.Memberships.List(ctx, query.Query{Page: query.AllRows()})
	joined, errMembership := tx.Memberships.Get(ctx, p.newMembership.ID)
	_, errQuit := tx.Memberships.Get(ctx, p.removedMembership.ID)
	members, errMembers := tx.Memberships.MemberIDs(ctx, p.newGroup.ID)
	if err := errors.Join(errRenamed, errLoaded, errHeld, errList, errMembership, errMembers); err != nil {
		return err
	}
	return diffError(
		[]any{
			renamed.State(), len(loaded), loaded[p.newGroup.ID].State(), isNotFound(errDisbanded), held,
			list.Items, joined, isNotFound(errQuit), members,
		},
		[]any{
			p.changedGroup, 1, p.newGroup, true,
			map[group.ID][]course.ID{p.newGroup.ID: {p.course.ID}},
			p.after.Memberships, p.newMembership, true,
			[]person.ID{p.guest.ID},
		},
	)
}

func (p scenario) watchCoupons(ctx context.Context, tx ports.Tx) error {
	list, errList := tx.Coupons.List(ctx, query.Query{Page: query.AllRows()})
	changed, errChanged := tx.Coupons.GetForUpdate(ctx, p.changedCoupon.ID)
	added, errAdded := tx.Coupons.Get(ctx, p.newCoupon.ID)
	_, errGone := tx.Coupons.Get(ctx, p.deletedCoupon)
	if err := errors.Join(errList, errChanged, errAdded); err != nil {
		return err
	}
	return diffError(
		[]any{list.Items, changed.State(), added, isNotFound(errGone)},
		[]any{p.after.Coupons, p.changedCoupon, p.newCoupon, true},
	)
}

func (p scenario) watchLearning(ctx context.Context, tx ports.Tx) error {
	e, errEnrollment := lockEnrollment(ctx, tx, p.guest.ID, p.course.ID, enrollment.Learner)
	latest, errLatest := latestAttempt(ctx, tx, p.guest.ID, p.course.ID)
	tally, errTally := tallyOf(ctx, tx, p.attempt.ID)
	_, errForgotten := latestAttempt(ctx, tx, p.coursework.learner.ID, p.coursework.course.ID)
	run, errRun := tx.QuizAttempts.Latest(ctx, p.attempt.ID, p.quizActivity.ID)
	loaded, errQuiz := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{p.quiz.ID})
	acts, errActs := tx.Activities.List(ctx, query.Query{Page: query.AllRows()})
	papers, errPapers := tx.Assignments.List(ctx, query.Query{Page: query.AllRows()})
	submissions, errSubmissions := tx.Submissions.List(ctx, query.Query{Page: query.AllRows()})
	events, errEvents := tx.Events.List(ctx, query.Query{Page: query.AllRows()})
	err := errors.Join(
		errEnrollment, errLatest, errTally, errRun, errQuiz, errActs, errPapers, errSubmissions, errEvents)
	if err != nil {
		return err
	}
	return diffError(
		[]any{
			e, latest.State(), tally, isNotFound(errForgotten), run.State(), loaded[p.quiz.ID].State(),
			acts.Items, papers.Items, submissions.Items, events.Items,
		},
		[]any{
			p.newEnrollment, p.changedAttempt,
			attempt.Tally{Completed: 1, Activities: 2, LastCompletedAt: &p.completion.At},
			true, p.changedQuizAttempt, p.quiz,
			p.after.Activities, p.after.Assignments, p.after.Submissions, p.after.Events,
		},
	)
}

// diffError returns the difference between got and want as an error, or nil if they are equal.
func diffError(got, want []any) error {
	if d := diff(got, want); d != "" {
		return errors.New(d)
	}
	return nil
}
