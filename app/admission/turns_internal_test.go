package admission

import (
	"testing"
	"testing/synctest"

	"github.com/matryer/is"
	"lyceum/app/usecase"
)

// Decisions on very many roles wait for a processor, and decisions on few roles do not.
func TestManyRolesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		p := usecase.NewProcessors()
		over := make(chan struct{})
		for range 64 { // more than half of the processors
			go p.Run(func() { <-over })
		}
		synctest.Wait()

		decided := 0
		decide := func() []error { decided++; return make([]error, 1) }
		is.Equal(len(byTurns(p, manyRoles-1, decide)), 1)
		is.Equal(decided, 1)
		ended := make(chan int)
		go func() { ended <- len(byTurns(p, manyRoles, decide)) }()
		synctest.Wait()
		is.Equal(decided, 1)
		close(over)
		is.Equal(<-ended, 1)
		is.Equal(decided, 2)
	})
}
