// Package shop is an example of a program that calls the API: it lists the courses of a school. Its
// test uses a real server that runs in the process of the test.
package shop

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Client reads the courses of a school.
type Client struct {
	URL string // URL of the server, such as http://127.0.0.1:8080
	Key string // API key of the school
}

// CourseNames returns the names of the courses on the first page.
func (c Client) CourseNames(ctx context.Context) ([]string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL+"/v2/courses?sort=name", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-Api-Key", c.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server responded with %s", response.Status)
	}
	var list struct {
		Data []struct {
			Attributes struct{ Name string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return nil, err
	}
	names := make([]string, len(list.Data))
	for i, course := range list.Data {
		names[i] = course.Attributes.Name
	}
	return names, nil
}
