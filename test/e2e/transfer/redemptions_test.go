package transfer_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
)

const use = `{"kind":"redemption","coupon":"TEN","person":"ada@example.test","created_at":"2026-01-05T10:00:00.000Z"}`

// withRedemptions returns the first lines of smallSchool with the given redemptions. The
// usages_count of the coupon is count.
func withRedemptions(count string, uses ...string) string {
	text := append([]string(nil), smallSchool[:6]...)
	text[2] = strings.Replace(text[2], `"maximum_usages":5`, `"usages_count":`+count+`,"maximum_usages":5`, 1)
	return renamed(lines(append(append(text, uses...), `{"kind":"end"}`)...), unique("Redeemed"))
}

func TestRedemptionsRoundTrip(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		bobs := strings.Replace(use, "ada", "bob", 1)
		text := withRedemptions("4", use, use, bobs) // one of the usages has no redemption
		id := h.importSchool(t, text)
		out := h.export(t, id)
		is.Equal(strings.Count(out, use), 2)
		is.True(strings.Contains(out, use+"\n"+bobs))
		is.True(strings.Contains(out, `"usages_count":4`))
		again, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
		is.NoErr(err)
		for _, k := range again.Kinds {
			is.Equal(k, transfer.ImportCount{Kind: k.Kind, Unchanged: k.Unchanged})
		}
		is.Equal(h.export(t, id), out)

		// A further redemption is counted.
		more := strings.Replace(text, bobs, bobs+"\n"+bobs, 1)
		done, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(more))
		is.NoErr(err)
		is.True(strings.Contains(h.export(t, id), `"usages_count":5`))
		for _, k := range done.Kinds {
			if k.Kind == "redemption" {
				is.Equal(k, transfer.ImportCount{Kind: k.Kind, Created: 1, Unchanged: 3})
			}
		}
	})
}

// TestMoreRedemptionsThanAllowed checks that an import accepts all redemptions in a file. It adds
// them to the count of an existing coupon and, if necessary, raises the coupon's maximum to the new
// count.
func TestMoreRedemptionsThanAllowed(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		for _, withCoupon := range []bool{true, false} { // whether the file contains the coupon
			is := is.New(t)
			text := withRedemptions("4", use, use)
			id := h.importSchool(t, text)
			more := []string{use, use, use, use, use}
			if withCoupon {
				more = append([]string{strings.Split(text, "\n")[2]}, more...)
			}
			more = append(more, `{"kind":"end"}`)
			again := lines(append([]string{smallSchool[0]}, more...)...)
			dryRun := reading(again)
			dryRun.DryRun = true
			dry, err := h.Transfers.Import(t.Context(), app.SystemActor(id), dryRun)
			is.NoErr(err)
			done, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(again))
			is.NoErr(err)
			is.Equal(dry.Kinds, done.Kinds)
			is.Equal(done.Kinds[len(done.Kinds)-1], transfer.ImportCount{Kind: "redemption", Created: 3, Unchanged: 2})
			is.True(strings.Contains(h.export(t, id), `"usages_count":7,"maximum_usages":7,`))
			checkUnchanged(t, h, id, again)
		}
	})
}

func TestInvalidRedemptions(t *testing.T) {
	h := inMemory()
	for text, want := range map[string]string{
		withRedemptions("1", use, use):                                                           `line 8: redemption: coupon: "TEN" has more redemptions than its usages_count (1)`,
		withRedemptions("1", strings.Replace(use, "TEN", "NONE", 1)):                             `line 7: redemption: coupon: no coupon matches "NONE"`,
		withRedemptions("1", strings.Replace(use, "ada", "eve", 1)):                              `line 7: redemption: person: no person matches "eve@example.test"`,
		withRedemptions("1", `{"kind":"redemption","coupon":"TEN","person":"ada@example.test"}`): "line 7: redemption: created_at: can't be blank",
	} {
		t.Run(want, func(t *testing.T) {
			is := is.New(t)
			_, err := h.Transfers.ImportNew(t.Context(), reading(text))
			is.True(err != nil)
			is.Equal(err.Error(), want)
		})
	}
}
