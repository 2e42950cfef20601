package request_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/fault"
)

// A document and a batch collect at most as many faults as a response contains.
func TestFaultsAreLimited(t *testing.T) {
	is := is.New(t)
	d := &request.Document{}
	for range 10 * request.MaxFaults {
		d.Fail(fault.Blank("name"))
	}
	is.Equal(len(d.Faults), request.MaxFaults)

	n := 2 * request.MaxFaults
	v, err := jsonapi.Parse([]byte(`{"data":[`+strings.Repeat("1,", n-1)+`1]}`), 1<<20)
	is.NoErr(err)
	b, err := request.ParseBatch(v, n)
	is.NoErr(err)
	is.Equal(len(b.Faults()), request.MaxFaults)
}
