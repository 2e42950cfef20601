package teaching_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/test/kit/stores"
)

// The pages show whether a coupon can be used, and faults in the words of the form.
func TestStatusOfCoupons(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open) // on 2026-09-01
		b := s.as(t, manager)
		create := func(code, start, end string) page {
			return b.post("/coupons", "code", code, "currency", "EUR", "format", "percentage", "value", "5", "maximum_usages", "9", "start_on", start, "end_on", end)
		}
		for _, tt := range []struct{ start, end, status, german string }{
			{"2026-08-01", "2026-08-31", "expired", "abgelaufen"},
			{"2026-09-02", "", "not valid yet", "noch nicht gültig"},
			{"2026-08-01", "2026-09-01", "enabled", "freigegeben"},
		} {
			code := strings.ToUpper(strings.ReplaceAll(tt.status, " ", "-"))
			made := create(code, tt.start, tt.end)
			is.Equal(made.status, http.StatusOK)
			is.True(made.has("<dt>Status</dt><dd>" + tt.status + "</dd>"))
			is.True(b.get("/coupons?q=" + code).has("<td>" + tt.status + "</td>"))
			b.language = "de"
			is.True(b.get("/coupons?q=" + code).has("<td>" + tt.german + "</td>"))
			b.language = "en"
		}
		_, err := s.Coupons.Create(t.Context(), app.SystemActor(demo.SchoolID), coupon.Params{
			Code: "GONE", Currency: "EUR", StartOn: s.clock.Now(), Format: coupon.Percentage, Value: 5, MaximumUsages: 1, UsagesCount: 1,
		})
		is.NoErr(err)
		is.True(b.get("/coupons?q=GONE").has("<td>used up</td>"))
		foreign := b.post("/coupons", "code", "X", "currency", "EURO", "format", "percentage", "value", "5", "maximum_usages", "9", "start_on", "2026-09-01")
		is.True(foreign.has(`id="currency-problem">Currency is not a valid currency code`))
		refused := create("LATE", "2026-09-02", "2026-09-01")
		is.True(refused.has(`id="end_on-problem">Last day must not be before the first day (2026-09-02)`))
		is.True(!strings.Contains(refused.body, "start_on ("))
		b.language = "de"
		is.True(create("LATE", "2026-09-02", "2026-09-01").has("<li>Letzter Tag darf nicht vor dem ersten Tag (2026-09-02) liegen</li>"))
		wrong := b.post("/coupons", "code", "X", "currency", "EURO", "format", "percentage", "value", "x", "maximum_usages", "x", "start_on", "")
		for _, problem := range []string{`id="value-problem">Wert ist keine gültige Zahl`, `id="start_on-problem">Erster Tag darf nicht leer sein`} {
			is.True(wrong.has(problem))
		}
	})
}

// The form of a coupon has the stored values. A form that is refused keeps what was typed, and
// changes nothing.
func TestEditCoupon(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, manager)
		made := b.post("/coupons", "code", "FALL", "currency", "usd", "format", "fixed", "value", "12.50",
			"maximum_usages", "7", "start_on", "2026-09-01", "end_on", "2026-11-30")
		id := regexp.MustCompile(`/coupons/([0-9a-f-]{36})/remove`).FindStringSubmatch(made.body)[1]
		for _, stored := range []string{
			`name="code" required maxlength="200" value="FALL"`, `<option value="fixed" selected>`, `name="value" required inputmode="decimal" value="12.5"`,
			`name="currency" required maxlength="3" value="USD"`, `name="maximum_usages" type="number" min="1" required value="7"`,
			`name="start_on" type="date" required value="2026-09-01"`, `name="end_on" type="date" value="2026-11-30"`,
		} {
			is.True(made.has(stored)) // in the form
		}
		edit := func(value string) page {
			return b.post("/coupons/"+id, "code", "FALL", "currency", "USD", "format", "percentage", "value", value,
				"maximum_usages", "8", "start_on", "2026-09-01", "version", versionIn(t, b.get("/coupons/"+id)))
		}
		refused := edit("120")
		is.Equal(refused.status, http.StatusUnprocessableEntity)
		is.True(refused.has(`id="value-problem">`) && refused.has(`value="120"`))
		is.True(b.get("/coupons/" + id).has("<dd>12.5 USD</dd>"))
		edited := edit("20")
		is.True(edited.has("Saved.") && edited.has("<dd>20 %</dd>") && edited.has("<dd>0 / 8</dd>"))
		is.True(edited.has(`name="end_on" type="date" value=""`)) // a blank last day removes it
	})
}
