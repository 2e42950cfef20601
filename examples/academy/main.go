// Command academy is Lyceum with the rules of an academy. Its server, commands and settings are the
// same as in Lyceum.
package main

import (
	"lyceum/cmd/cli"
	"lyceum/cmd/server"
	"lyceum/domain/policy"
)

// rules contains the rules of the academy, in addition to the rules that apply to every school.
var rules = policy.Set{
	CreatePerson:   policy.Rules[policy.CreatingPerson]{{Check: privateAddress}},
	ChangePerson:   policy.Rules[policy.ChangingPerson]{{Needs: policy.School, Check: changedAddress}},
	Join:           policy.Rules[policy.Joining]{{Needs: policy.Count, Check: smallGroup}},
	Unenroll:       policy.Rules[policy.Unenrolling]{{Needs: policy.Progress, Check: beforeHalf}},
	ActivateCoupon: policy.Rules[policy.ActivatingCoupon]{{Check: notEnded}},
	Record:         policy.Rules[policy.Recording]{{Check: watchedEnough}},
}

func main() {
	cli.Main(server.WithPolicy(rules), server.WithReaction("front-desk", newPeople, frontDesk(announce)))
}
