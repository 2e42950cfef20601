package transfer

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/structure"
)

// merged returns how a course shall be that was so before lines told of some of
// its activities: these stand at the positions that their lines tell, the others
// between and behind them in the order that they had, what is new or shown again
// last. It is never a plan to remove anything.
func merged(was structure.Structure, lines []lessonLine) (structure.Plan, planLines) {
	told := map[string]lessonLine{}
	for _, l := range lines {
		told[l.is.Key] = l
	}
	var fixed, free, gone []lessonLine
	for _, a := range slices.Concat(was.Activities, was.Archived) {
		l, ok := told[a.Key]
		switch {
		case !ok && !a.Archived():
			free = append(free, lessonLine{is: a})
		case ok && l.is.Archived():
			gone = append(gone, l)
		case ok && l.position == 0 && !l.added && !a.Archived():
			free = append(free, l)
		}
	}
	for _, l := range lines {
		switch {
		case l.is.Archived():
		case l.position > 0:
			fixed = append(fixed, l)
		case l.added || l.was.Archived():
			free = append(free, l)
		}
	}
	slices.SortStableFunc(fixed, func(a, b lessonLine) int { return a.position - b.position })
	var plan structure.Plan
	var at planLines
	put := func(l lessonLine) {
		plan.Activities, at = append(plan.Activities, structure.PlanOf(l.is)), append(at, l.line)
	}
	for len(fixed)+len(free) > 0 {
		from := &free
		if len(free) == 0 || len(fixed) > 0 && fixed[0].position <= len(at)+1 {
			from = &fixed
		}
		put((*from)[0])
		*from = (*from)[1:]
	}
	for _, l := range gone {
		put(l)
	}
	return plan, at
}

// missing tells whether an activity that lines tell of is not there any more, is
// another, or was archived or shown again meanwhile.
func missing(was structure.Structure, lines []lessonLine) bool {
	known := map[activity.ID]activity.State{}
	for _, a := range slices.Concat(was.Activities, was.Archived) {
		known[a.ID] = a
	}
	return slices.ContainsFunc(lines, func(l lessonLine) bool {
		now := known[l.is.ID]
		return now.Key != l.is.Key || !l.added && now.Archived() != l.was.Archived()
	})
}

// planLines is the lines that tell of the activities of a plan, 0 where none does.
type planLines []int

// lineMembers is what lines call what a plan may not change.
var lineMembers = map[string]string{
	"kind": "type", "duration": "seconds", "quiz.id": "quiz", "assignment.id": "assignment",
}

// told returns a fault of a plan as that of a line.
func (p planLines) told(f *fault.Fault) (line int, err error) {
	place, field, ok := strings.Cut(f.Field, ".")
	var i int
	if _, err := fmt.Sscanf(place, "activities[%d]", &i); err == nil && ok && p[i] > 0 {
		line = p[i]
	} else {
		line, field = slices.Max(p), f.Field
	}
	if field == "activities" {
		return line, fault.Invalidf("course", "%s activities", f.Detail)
	}
	if member, ok := lineMembers[field]; ok {
		field = member
	}
	return line, fault.Invalidf(field, "%s", f.Detail)
}
