package transfer

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/structure"
)

// mergePlan returns the plan of a course after the changes of lines. An activity whose line has a
// position gets that position. The other activities keep their order; new and unarchived activities
// come last. The plan deletes nothing.
func mergePlan(was structure.Structure, lines []activityLine) (structure.Plan, planLines) {
	named := map[string]activityLine{}
	for _, l := range lines {
		named[l.after.Key] = l
	}
	var fixed, free, gone []activityLine
	for _, a := range slices.Concat(was.Activities, was.Archived) {
		l, ok := named[a.Key]
		switch {
		case !ok && !a.Archived():
			free = append(free, activityLine{after: a})
		case ok && l.after.Archived():
			gone = append(gone, l)
		case ok && l.position == 0 && !l.added && !a.Archived():
			free = append(free, l)
		}
	}
	for _, l := range lines {
		switch {
		case l.after.Archived():
		case l.position > 0:
			fixed = append(fixed, l)
		case l.added || l.before.Archived():
			free = append(free, l)
		}
	}
	slices.SortStableFunc(fixed, func(a, b activityLine) int { return a.position - b.position })
	var plan structure.Plan
	var at planLines
	put := func(l activityLine) {
		plan.Activities, at = append(plan.Activities, structure.PlanOf(l.after)), append(at, l.line)
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

// changedSince reports whether an activity of lines was deleted, replaced, archived or unarchived
// since the index was read.
func changedSince(was structure.Structure, lines []activityLine) bool {
	known := map[activity.ID]activity.State{}
	for _, a := range slices.Concat(was.Activities, was.Archived) {
		known[a.ID] = a
	}
	return slices.ContainsFunc(lines, func(l activityLine) bool {
		now := known[l.after.ID]
		return now.Key != l.after.Key || !l.added && now.Archived() != l.before.Archived()
	})
}

// planLines contains the line of each activity of a plan; 0: the file has no line for it.
type planLines []int

// lineFields maps fields of a plan to fields of a line.
var lineFields = map[string]string{
	"kind": "type", "duration": "seconds", "quiz.id": "quiz", "assignment.id": "assignment",
}

// lineOf returns the line that causes a fault of a plan, and the fault with the field of that line.
// If the fault is not about one activity, lineOf returns the last line.
func (p planLines) lineOf(f *fault.Fault) (line int, err error) {
	at, field, ok := strings.Cut(f.Field, ".")
	var i int
	if _, err := fmt.Sscanf(at, "activities[%d]", &i); err == nil && ok && p[i] > 0 {
		line = p[i]
	} else {
		line, field = slices.Max(p), f.Field
	}
	if field == "activities" {
		return line, fault.Invalidf("course", "activities: %s", f.Detail)
	}
	if member, ok := lineFields[field]; ok {
		field = member
	}
	return line, fault.Invalidf(field, "%s", f.Detail)
}
