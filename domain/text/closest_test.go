package text_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

func TestClosest(t *testing.T) {
	known := []string{"name", "first_name", "email"}
	for _, tt := range []struct{ name, want string }{
		{"name", "name"},
		{"naem", "name"},
		{"NAME", "name"},
		{"e-mail", "email"},
		{"firstname", "first_name"},
		{"first_names_", "first_name"},
		{"phone", ""},
		{"", ""},
		{"emailemailemailemailemail", ""},
	} {
		t.Run(tt.name, func(t *testing.T) { is.New(t).Equal(text.Closest(tt.name, known), tt.want) })
	}
}
