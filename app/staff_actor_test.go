package app_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Every use case is closed to the staff of a school until package teaching has checked their role.
// The test calls each use case that takes an actor, like TestUseCasesAreClosedToLearners.
func TestUseCasesAreClosedToStaff(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	staff := usecase.ByStaff(c.school, c.signIn(t, c.ada), person.PartnershipID{}, school.Admin)
	var open []string
	closed := 0
	all := reflect.ValueOf(c.App).Elem()
	for i := range all.NumField() {
		field := all.Type().Field(i)
		if !field.IsExported() || !strings.HasPrefix(field.Type.String(), "*app.") {
			continue
		}
		for j := range all.Field(i).NumMethod() {
			name, method := field.Name+"."+all.Field(i).Type().Method(j).Name, all.Field(i).Method(j)
			if in := method.Type(); in.NumIn() < 2 || in.In(1) != reflect.TypeFor[usecase.Actor]() {
				continue
			}
			if fault.IsRefusal(callZero(c.ctx, method, staff)) {
				closed++
			} else {
				open = append(open, name)
			}
		}
	}
	is.True(closed > 50)
	is.Equal(len(open), 0)
	_, err := c.Courses.Get(c.ctx, staff, "greek")
	is.True(fault.Is(err, fault.NotFound))
	_, err = c.Courses.Get(c.ctx, staff.PermitStaff(), "greek")
	is.NoErr(err)
	is.NoErr(staff.Require(school.Admin))
}
