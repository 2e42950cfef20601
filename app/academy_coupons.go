package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/analytics"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/redemption"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Redeem uses the coupon with the given code for the visitor. It returns Invalid on the field code
// if the code is unknown.
func (u *Academy) Redeem(ctx context.Context, v Visitor, code string) (redemption.Summary, error) {
	var id coupon.ID
	code = strings.TrimSpace(code)
	err := u.deps.InTx(ctx, v.Actor.Permit(), func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Coupons.ByCode(ctx, []string{code})
		if err != nil {
			return err
		}
		var ok bool
		if id, ok = found[text.UniqueKey(code)]; !ok {
			return fault.Invalidf("code", "is unknown")
		}
		return nil
	})
	if err != nil {
		return redemption.Summary{}, err
	}
	return u.redemptions.Redeem(ctx, v.Actor.Permit(), id, v.Person.ID)
}

// latestAttempts returns the row of the latest attempt at each course, sorted by course name.
func latestAttempts(rows []analytics.CourseProgress) []analytics.CourseProgress {
	latest := map[course.ID]analytics.CourseProgress{}
	for _, row := range rows {
		if other, ok := latest[row.Course]; !ok || beganAfter(row, other) {
			latest[row.Course] = row
		}
	}
	var all []analytics.CourseProgress
	for _, row := range latest {
		all = append(all, row)
	}
	slices.SortFunc(all, func(a, b analytics.CourseProgress) int {
		return cmp.Or(strings.Compare(text.Fold(a.CourseName), text.Fold(b.CourseName)), strings.Compare(a.Course.String(), b.Course.String()))
	})
	return all
}

// beganAfter reports whether the attempt of a began after that of b. Attempt IDs are ordered by
// time. A row without an attempt comes before all others.
func beganAfter(a, b analytics.CourseProgress) bool {
	if a.Attempt.UUID == uuid.Nil || b.Attempt.UUID == uuid.Nil {
		return a.Attempt.UUID != uuid.Nil
	}
	return strings.Compare(a.Attempt.String(), b.Attempt.String()) > 0
}
