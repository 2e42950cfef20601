// Package reactions calls functions of an extension for the changes of all schools, after the
// transaction of the change. Start with Reactions.Add.
package reactions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"lyceum/app/follow"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/change"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

const (
	// KindPrefix begins the kinds of the jobs of reactions; the name of the reaction follows.
	KindPrefix = "reaction:"
	// lease is twice the maximum duration of a call of a reaction.
	lease = 2 * time.Minute
)

// retry retries for about a day.
var retry = job.RetryPolicy{MaxAttempts: 60, InitialDelay: time.Second, MaxDelay: 30 * time.Minute}

// Notification describes a change in a school.
type Notification struct {
	School school.ID
	Change change.Change
	Read   ports.Reader // reads the current records of the school
}

// Func reacts to a change. It is called at least once for each change: again if it returns an error,
// or if the server stops during the call. Different calls may run concurrently and in any order.
type Func func(ctx context.Context, n Notification) error

// Reactions calls the functions of an extension.
type Reactions struct {
	deps      usecase.Deps
	queue     ports.Queue
	followers *follow.Followers
	kinds     []job.Kind
	funcs     map[job.Kind]Func
}

// New returns reactions without functions.
func New(d usecase.Deps, queue ports.Queue, followers *follow.Followers) *Reactions {
	return &Reactions{deps: d, queue: queue, followers: followers, funcs: map[job.Kind]Func{}}
}

// Add calls react for the changes of records of the given types; without types, of all records. The
// name identifies the reaction in the store. Add must be called before the first change.
func (u *Reactions) Add(name string, types []string, react Func) error {
	kind := job.Kind(KindPrefix + name)
	switch {
	case name == "" || u.funcs[kind] != nil:
		return fmt.Errorf("reactions: the name %q is blank or used twice", name)
	case slices.ContainsFunc(types, func(typ string) bool { return !slices.Contains(change.Types(), typ) }):
		return fmt.Errorf("reactions: %s: the change feed has no records of one of the types %q", name, types)
	}
	u.kinds, u.funcs[kind] = append(u.kinds, kind), react
	u.followers.HandleEverywhere(string(kind), func(_ context.Context, f change.Follower, page []change.Change) (func(context.Context, ports.Tx) error, error) {
		added, err := u.jobs(f.School, kind, types, page)
		if err != nil || len(added) == 0 {
			return nil, err
		}
		return func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx, added...) }, nil
	})
	return nil
}

// jobs returns the jobs for the changes of records of the types.
func (u *Reactions) jobs(s school.ID, kind job.Kind, types []string, page []change.Change) (all []job.Job, err error) {
	for _, c := range page {
		if len(types) > 0 && !slices.Contains(types, c.Record.Type) {
			continue
		}
		payload, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		all = append(all, job.New(job.ID{UUID: u.deps.IDs.New()}, s, kind, string(payload), u.deps.Clock.Now()))
	}
	return all, nil
}

// Kinds returns the kinds of the jobs of all reactions.
func (u *Reactions) Kinds() []job.Kind { return u.kinds }

// RunNext calls a reaction for the change whose job has been due longest. It reports whether there
// was a job, like jobs.Handler.RunNext.
func (u *Reactions) RunNext(ctx context.Context, kind job.Kind) (bool, error) {
	return jobs.Handler{
		Queue: u.queue, Kind: kind, Lease: lease, Retry: retry,
		Handle: func(ctx context.Context, j job.Job) error {
			n := Notification{School: j.School, Read: u.deps.Store.Read(j.School)}
			if err := json.Unmarshal([]byte(j.Payload), &n.Change); err != nil {
				return err
			}
			return u.funcs[kind](ctx, n)
		},
	}.RunNext(ctx, u.deps)
}

// RunAll calls all reactions for all changes until now, and for the changes that the reactions make.
// Calls that fail are retried later. It is for tests.
func (u *Reactions) RunAll(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = u.followers.Next(ctx); err != nil {
			return err
		}
		for _, kind := range u.kinds {
			for found := true; found; {
				if found, err = u.RunNext(ctx, kind); err != nil {
					return err
				}
				more = more || found
			}
		}
	}
	return nil
}
