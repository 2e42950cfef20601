package server

import (
	"lyceum/adapters/worker"
	"lyceum/app"
)

// discards is the removal of the files of what was deleted.
func discards(a *app.App) worker.Work {
	return worker.Work{Kind: app.DiscardKind, Next: a.Discards.RemoveNext}
}
