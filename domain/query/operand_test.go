package query_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

func TestOperands(t *testing.T) {
	const id = "0123abcd-89ab-cdef-0123-456789abcdef"
	for _, tc := range []struct {
		attribute         string
		accepted, refused []string
	}{
		{
			"name",
			[]string{"", " ", "%_\\", "a;b", "日本", "\x01", "a=b"},
			[]string{"\x00", "\xff", "a\xc3"},
		},
		{
			"uuid",
			[]string{id, strings.ToUpper(id), "00000000-0000-0000-0000-000000000000"},
			[]string{"", "1", strings.ReplaceAll(id, "-", ""), "{" + id + "}", "urn:uuid:" + id, id + " ", strings.Replace(id, "a", "g", 1)},
		},
		{
			"course_count",
			[]string{"0", "-0", "007", "-12", "9223372036854775807", "-9223372036854775808"},
			[]string{"", "-", "+1", "1.0", "1e3", "0x1", "1_000", " 1", "9223372036854775808", "-9223372036854775809", "١"},
		},
		{
			"score",
			[]string{"0", "-0", "1.50", "-0.25", "1e3", "1E+3", "12e-2", "1e300", "1e-300", strings.Repeat("9", 64)},
			[]string{
				"", "-", "+1", ".5", "1.", "01", "1e", "0x1", "1_0", "1/2", "NaN", "Inf", "1 e3",
				"1e301", "1e-301", "1e99999999999999999999", strings.Repeat("9", 65),
			},
		},
		{
			"enabled",
			[]string{"true", "false", "TRUE", "False", "1", "0", "t", "F"},
			[]string{"", "yes", "no", "2", "null", "tru", "falſe"},
		},
		{
			"start_on",
			[]string{"2026-01-31", "2024-02-29", "0001-01-01", "9999-12-31"},
			[]string{"", "2026-1-31", "2026-02-29", "20260131", "31.01.2026", "2026-01-31T00:00:00Z", "-2026-01-31", "10000-01-01"},
		},
	} {
		for _, v := range tc.accepted {
			t.Run(tc.attribute+" "+v, func(t *testing.T) {
				is := is.New(t)
				_, err := query.Build(rows, query.Request{Terms: operand(tc.attribute, v)})
				is.NoErr(err)
			})
		}
		for _, v := range tc.refused {
			t.Run(tc.attribute+" not "+v, func(t *testing.T) {
				is := is.New(t)
				_, err := query.Build(rows, query.Request{Terms: operand(tc.attribute, v)})
				is.True(err != nil)
			})
		}
	}
}

// Numbers are exact in every notation.
func TestNumbersAreExact(t *testing.T) {
	for _, tc := range []struct{ value, want string }{
		{"0.1", "score = 1/10"},
		{"1e-2", "score = 1/100"},
		{"1.50", "score = 3/2"},
		{"-2.5E1", "score = -25"},
		{"9007199254740993", "score = 9007199254740993"},
	} {
		t.Run(tc.value, func(t *testing.T) {
			is := is.New(t)
			is.Equal(show(build(t, "filter[score]="+tc.value).Where), tc.want)
		})
	}
}

func TestOperandOfNull(t *testing.T) {
	is := is.New(t)
	is.Equal(show(build(t, "filter[score][null]=True").Where), "score null true")
	is.Equal(show(build(t, "filter[score][null]=0").Where), "score null false")
	_, err := query.Build(rows, query.Request{Terms: operand("score][null", "5")})
	is.True(err != nil)
}

func operand(attribute, value string) []query.Term {
	return []query.Term{{Param: "filter", Path: strings.Split(attribute, "]["), Value: value}}
}
