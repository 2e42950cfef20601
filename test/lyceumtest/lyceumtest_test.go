package lyceumtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"
	"lyceum/adapters/demo"
	"lyceum/test/kit"
	"lyceum/test/lyceumtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// names returns the names in a list of the API.
func names(ctx context.Context, s *lyceumtest.Server, path, key string) (status int, names []string, err error) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("X-Api-Key", key)
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var document struct {
		Data []struct {
			Attributes struct{ Name string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil {
		return 0, nil, err
	}
	for _, resource := range document.Data {
		names = append(names, resource.Attributes.Name)
	}
	return response.StatusCode, names, nil
}

func TestAnEmptySchoolWithAKey(t *testing.T) {
	is := is.New(t)
	s := lyceumtest.Start(t)
	status, found, err := names(t.Context(), s, "/v1/courses", s.Key)
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.Equal(len(found), 0)
	status, _, err = names(t.Context(), s, "/v1/courses", "lyc_wrong")
	is.NoErr(err)
	is.Equal(status, http.StatusUnauthorized)
}

func TestTheDemoSchool(t *testing.T) {
	is := is.New(t)
	s := lyceumtest.Start(t, lyceumtest.WithDemo())
	is.Equal(s.Key, demo.Key)
	status, found, err := names(t.Context(), s, "/v1/categories", s.Key)
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.Equal(found, []string{"Cooking", "Crafts & Making", "Languages", "Music", "Photography"})
}

func TestStartWithOwnSchool(t *testing.T) {
	is := is.New(t)
	s := lyceumtest.Start(t, lyceumtest.WithSchool(kit.School{
		Name: "Mine", Lines: `{"kind": "category", "name": "Glassblowing"}`,
	}.Open))
	_, found, err := names(t.Context(), s, "/v1/categories", s.Key)
	is.NoErr(err)
	is.Equal(found, []string{"Glassblowing"})
	schools, err := s.App().Provision.Schools(t.Context())
	is.NoErr(err)
	is.Equal(schools[0].State().Name, "Mine")
}

func TestAFaultySchoolIsRefused(t *testing.T) {
	is := is.New(t)
	_, err := lyceumtest.New(t.Context(), lyceumtest.WithSchool(kit.School{}.Open))
	is.Equal(err.Error(), "line 1: school: name: can't be blank")
}

func TestNothingAnswersAfterClose(t *testing.T) {
	is := is.New(t)
	s, err := lyceumtest.New(t.Context())
	is.NoErr(err)
	is.NoErr(s.Close())
	_, _, err = names(t.Context(), s, "/v1/courses", s.Key)
	is.True(err != nil) // the port is closed
}

// TestServersDoNotShareData checks that two servers do not share data.
func TestServersDoNotShareData(t *testing.T) {
	is := is.New(t)
	a, b := lyceumtest.Start(t), lyceumtest.Start(t)
	status, _, err := names(t.Context(), a, "/v1/courses", b.Key)
	is.NoErr(err)
	is.Equal(status, http.StatusUnauthorized)
}

// A test calls lyceumtest.Start(t) instead of New and Close.
func ExampleNew() {
	ctx := context.Background()
	lyceum, err := lyceumtest.New(ctx, lyceumtest.WithDemo())
	if err != nil {
		panic(err)
	}
	defer func() { _ = lyceum.Close() }()

	_, courses, err := names(ctx, lyceum, "/v1/courses?q=music", lyceum.Key)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(courses))

	_, courses, err = names(ctx, lyceum, "/v1/courses?q=joinery", lyceum.Key)
	if err != nil {
		panic(err)
	}
	fmt.Println(courses)
	// Output:
	// 0
	// [Japanese Joinery by Hand]
}
