package policy

import "slices"

// Set is the rules of all decisions.
type Set struct {
	Create         Rules[Creating]
	Invite         Rules[Inviting]
	Enroll         Rules[Enrolling]
	Unenroll       Rules[Unenrolling]
	Join           Rules[Joining]
	Leave          Rules[Leaving]
	CreateCoupon   Rules[CreatingCoupon]
	ActivateCoupon Rules[ActivatingCoupon]
	Redeem         Rules[Redeeming]
	Record         Rules[Recording]
	Complete       Rules[Completing]
	Answer         Rules[Answering]
}

// Standard returns the rules of every school.
func Standard() Set {
	return Set{
		Create:         creating,
		Invite:         inviting,
		Enroll:         enrolling,
		Unenroll:       unenrolling,
		Join:           joining,
		Leave:          leaving,
		CreateCoupon:   creatingCoupon,
		ActivateCoupon: activatingCoupon,
		Redeem:         redeeming,
		Record:         recording,
		Complete:       completing,
		Answer:         answering,
	}
}

// With returns the rules of s, followed by those of more.
func (s Set) With(more Set) Set {
	return Set{
		Create:         slices.Concat(s.Create, more.Create),
		Invite:         slices.Concat(s.Invite, more.Invite),
		Enroll:         slices.Concat(s.Enroll, more.Enroll),
		Unenroll:       slices.Concat(s.Unenroll, more.Unenroll),
		Join:           slices.Concat(s.Join, more.Join),
		Leave:          slices.Concat(s.Leave, more.Leave),
		CreateCoupon:   slices.Concat(s.CreateCoupon, more.CreateCoupon),
		ActivateCoupon: slices.Concat(s.ActivateCoupon, more.ActivateCoupon),
		Redeem:         slices.Concat(s.Redeem, more.Redeem),
		Record:         slices.Concat(s.Record, more.Record),
		Complete:       slices.Concat(s.Complete, more.Complete),
		Answer:         slices.Concat(s.Answer, more.Answer),
	}
}
