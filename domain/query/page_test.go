package query_test

import (
	"math"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

func TestNewPage(t *testing.T) {
	for _, tc := range []struct {
		name       string
		page       query.Page
		number     int64
		limit      int
		rowsBefore int64
	}{
		{"zero page", query.Page{}, 1, 25, 0},
		{"first", query.NewPage(1, 10), 1, 10, 0},
		{"third", query.NewPage(3, 10), 3, 10, 20},
		{"number too small", query.NewPage(0, 10), 1, 10, 0},
		{"number negative", query.NewPage(math.MinInt64, 10), 1, 10, 0},
		{"limit absent", query.NewPage(2, 0), 2, 25, 25},
		{"limit negative", query.NewPage(2, -1), 2, 25, 25},
		{"limit too large", query.NewPage(2, 1001), 2, 1000, 1000},
		{"largest limit", query.NewPage(2, 1000), 2, 1000, 1000},
		{"one row each", query.NewPage(1<<53, 1), 1 << 53, 1, 1<<53 - 1},
		{"far behind any list", query.NewPage(math.MaxInt64, 1000), math.MaxInt64, 1000, 1 << 53},
		{"everything", query.AllRows(), 1, math.MaxInt32, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tc.page.Number(), tc.number)
			is.Equal(tc.page.Limit(), tc.limit)
			is.Equal(tc.page.Offset(), tc.rowsBefore)
		})
	}
}
