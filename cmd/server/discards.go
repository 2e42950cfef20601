package server

import (
	"lyceum/adapters/worker"
	"lyceum/app"
)

// removals is the removal of what is left of courses that were deleted.
func removals(a *app.App) worker.Work {
	return worker.Work{Kind: app.RemovalKind, Next: a.Courses.RemoveNext}
}

// discards is the removal of the files of what was deleted.
func discards(a *app.App) worker.Work {
	return worker.Work{Kind: app.DiscardKind, Next: a.Discards.RemoveNext}
}
