package policy

import "slices"

// Set contains the rules on all decisions.
type Set struct {
	CreatePerson Rules[CreatingPerson]
	ChangePerson Rules[ChangingPerson]
	Invite       Rules[Inviting]
	Accept       Rules[Accepting]
	DeletePerson Rules[DeletingPerson]

	Enroll       Rules[Enrolling]
	Unenroll     Rules[Unenrolling]
	ChangeCourse Rules[ChangingCourse]
	DeleteCourse Rules[DeletingCourse]

	Join  Rules[Joining]
	Leave Rules[Leaving]

	CreateCoupon   Rules[CreatingCoupon]
	ActivateCoupon Rules[ActivatingCoupon]
	Redeem         Rules[Redeeming]

	Record           Rules[Recording]
	Complete         Rules[Completing]
	BeginAttempt     Rules[BeginningAttempt]
	BeginQuizAttempt Rules[BeginningQuizAttempt]
	Answer           Rules[Answering]
}

// Standard returns the rules that apply to every school.
func Standard() Set {
	return Set{DeletePerson: deletingPerson, DeleteCourse: deletingCourse, Redeem: redeeming, BeginAttempt: beginningAttempt}
}

// With returns the rules of s, followed by the rules of more.
func (s Set) With(more Set) Set {
	return Set{
		CreatePerson:     slices.Concat(s.CreatePerson, more.CreatePerson),
		ChangePerson:     slices.Concat(s.ChangePerson, more.ChangePerson),
		Invite:           slices.Concat(s.Invite, more.Invite),
		Accept:           slices.Concat(s.Accept, more.Accept),
		DeletePerson:     slices.Concat(s.DeletePerson, more.DeletePerson),
		Enroll:           slices.Concat(s.Enroll, more.Enroll),
		Unenroll:         slices.Concat(s.Unenroll, more.Unenroll),
		ChangeCourse:     slices.Concat(s.ChangeCourse, more.ChangeCourse),
		DeleteCourse:     slices.Concat(s.DeleteCourse, more.DeleteCourse),
		Join:             slices.Concat(s.Join, more.Join),
		Leave:            slices.Concat(s.Leave, more.Leave),
		CreateCoupon:     slices.Concat(s.CreateCoupon, more.CreateCoupon),
		ActivateCoupon:   slices.Concat(s.ActivateCoupon, more.ActivateCoupon),
		Redeem:           slices.Concat(s.Redeem, more.Redeem),
		Record:           slices.Concat(s.Record, more.Record),
		Complete:         slices.Concat(s.Complete, more.Complete),
		BeginAttempt:     slices.Concat(s.BeginAttempt, more.BeginAttempt),
		BeginQuizAttempt: slices.Concat(s.BeginQuizAttempt, more.BeginQuizAttempt),
		Answer:           slices.Concat(s.Answer, more.Answer),
	}
}

// Needs returns the combined needs of all rules.
func (s Set) Needs() Need {
	return s.CreatePerson.Needs() | s.ChangePerson.Needs() | s.Invite.Needs() | s.Accept.Needs() | s.DeletePerson.Needs() |
		s.Enroll.Needs() | s.Unenroll.Needs() | s.ChangeCourse.Needs() | s.DeleteCourse.Needs() |
		s.Join.Needs() | s.Leave.Needs() |
		s.CreateCoupon.Needs() | s.ActivateCoupon.Needs() | s.Redeem.Needs() |
		s.Record.Needs() | s.Complete.Needs() | s.BeginAttempt.Needs() | s.BeginQuizAttempt.Needs() | s.Answer.Needs()
}

// CountsLearners reports whether a rule needs the exact number of a course's learners. If so, each
// request that changes the number locks the course.
func (s Set) CountsLearners() bool {
	return (s.Enroll.Needs() | s.Unenroll.Needs() | s.ChangeCourse.Needs()).Has(Count)
}

// CountsMembers reports whether a rule needs the exact number of a group's members. If so, each
// request that changes the number locks the group.
func (s Set) CountsMembers() bool { return (s.Join.Needs() | s.Leave.Needs()).Has(Count) }

// AsksLearners reports whether there are rules on learning. If so, the records for their decisions
// are loaded.
func (s Set) AsksLearners() bool {
	return len(s.Record)+len(s.Complete)+len(s.BeginAttempt)+len(s.BeginQuizAttempt)+len(s.Answer) > 0
}
