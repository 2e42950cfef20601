package app_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Concurrent requests add exactly as many people as the quota allows.
func TestQuotaOfPeopleIsExact(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.SetQuotas(app.Quotas{People: int64(len(w.people)) + 3})
	var added, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 34 {
		wg.Go(func() {
			_, err := w.People.Create(w.ctx, w.actor, person.Profile{Email: fmt.Sprintf("new%d@example.test", i)})
			switch {
			case err == nil:
				added.Add(1)
			case fault.Is(err, fault.Invalid):
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	is.Equal(added.Load(), int64(3))
	is.Equal(refused.Load(), int64(31))
}
