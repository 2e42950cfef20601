package server

import (
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/app/jobs"
)

// removals returns the worker.Work that deletes the remaining records of deleted courses.
func removals(a *app.App) worker.Work {
	return worker.Work{Kind: jobs.CourseRemovalKind, Next: a.CourseRemoval.DeleteNext}
}

// fileCleanup returns the worker.Work that deletes files of deleted submissions.
func fileCleanup(a *app.App) worker.Work {
	return worker.Work{Kind: jobs.FileCleanupKind, Next: a.FileCleanup.DeleteNext}
}
