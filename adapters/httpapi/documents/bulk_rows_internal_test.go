package documents

import (
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
)

// tinyBody is the size of the body in bytes, an eighth of the limit of a bulk request.
const tinyBody = 1 << 20

// A body with too many tiny elements is refused before they are parsed, so that it takes a limited
// amount of memory.
func TestBulkRowsLimitMemory(t *testing.T) {
	const most = 20 // limit of the bytes allocated while reading, per byte of the body
	zeros := strings.Repeat("0,", tinyBody/2-64) + "0"
	row := `{"name":"A","courses":"` + strings.Repeat("a,", bulk.MaxTargets) + `"}`
	rows := strings.Repeat(row+",", tinyBody/len(row)-2) + row
	inArrays := strings.ReplaceAll(rows, `"courses":"a,`, `"courses":["","a",0,"`)
	inArrays = strings.ReplaceAll(inArrays, `,"}`, `"]}`)
	const allTargets = "has too many elements in total with the rows before it (maximum is 100000 per request)"
	for name, tt := range map[string]struct {
		kind                    bulk.Kind
		elements, field, detail string
	}{
		"lists":           {bulk.Groups, "[" + rows + "]", "groups[200]", allTargets},
		"lists in arrays": {bulk.Groups, "[" + inArrays + "]", "groups[199]", allTargets},
		"rows":            {bulk.People, "[" + zeros + "]", "people", "has too many elements (maximum is 15000)"},
		"targets":         {bulk.People, `[{"email":"ada@example.test","groups":[` + zeros + "]}]", "groups", "has too many elements (maximum is 500)"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			payload, err := jsonapi.Parse([]byte(`{"data":{"type":"x","attributes":{"`+tt.kind.String()+`":`+tt.elements+`}}}`), tinyBody)
			is.NoErr(err)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := request.Parse(payload)
			is.NoErr(err)
			rows := BulkRows(d, tt.kind)
			runtime.ReadMemStats(&after)
			cost := float64(after.TotalAlloc-before.TotalAlloc) / tinyBody
			t.Logf("%.1f times the body", cost)
			faults := d.Faults
			for _, r := range rows {
				for _, e := range r.Errors {
					faults = append(faults, fault.Invalidf(e.Field, "%s", e.Detail))
				}
			}
			is.Equal(len(faults), 1)
			is.Equal(faults[0].Error(), "invalid: "+tt.field+": "+tt.detail)
			is.True(cost < most)
		})
	}
}
