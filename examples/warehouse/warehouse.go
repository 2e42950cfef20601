// Package warehouse is an example of a program that keeps a copy of the people and enrollments of a
// school in a file. It starts from an export and follows the change feed.
package warehouse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
)

// Copy is a copy of a school as it is in the file.
type Copy struct {
	Next    string                     `json:"next"`    // URL of the next page of changes; empty: no copy exists
	Records map[string]json.RawMessage `json:"records"` // by type and ID, such as people/0198…
}

// Sync keeps a copy of one school.
type Sync struct {
	URL  string // URL of the server, such as http://127.0.0.1:8080
	Key  string // API key of the school, with the scope admin
	File string // path of the copy
}

// kinds maps the kinds of lines in an export to the types of the copied records.
var kinds = map[string]string{"person": "people", "enrollment": "enrollments"}

// errGone means that the feed cannot be followed from a position.
var errGone = errors.New("the change feed cannot be continued")

// Step brings the copy up to date with one page of changes, and saves it. It starts with an export
// if there is no copy, or if the feed no longer contains the changes after it.
func (s Sync) Step(ctx context.Context) (Copy, error) {
	var c Copy
	text, err := os.ReadFile(s.File)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return c, err
	}
	if c.Next != "" {
		err = s.follow(ctx, &c)
	}
	if c.Next == "" || errors.Is(err, errGone) {
		c, err = s.export(ctx)
	}
	if err != nil {
		return c, err
	}
	return c, s.save(c)
}

// export returns a new copy.
func (s Sync) export(ctx context.Context) (Copy, error) {
	c := Copy{Records: map[string]json.RawMessage{}}
	response, err := s.get(ctx, s.URL+"/v2/export?ids=true")
	if err != nil {
		return c, err
	}
	defer func() { _ = response.Body.Close() }()
	lines := json.NewDecoder(response.Body)
	for last := ""; last != "end"; { // an export without the last line is incomplete
		var text json.RawMessage
		var line struct{ Kind, ID, Changes string }
		if err := lines.Decode(&text); err != nil {
			return c, err
		}
		if err := json.Unmarshal(text, &line); err != nil {
			return c, err
		}
		if last = line.Kind; last == "school" {
			c.Next = s.URL + "/v2/changes?wait=30&include=record&filter[record.type][in][]=people" +
				"&filter[record.type][in][]=enrollments&after=" + line.Changes
		}
		if kind, ok := kinds[line.Kind]; ok {
			c.Records[kind+"/"+line.ID] = text
		}
	}
	return c, nil
}

// follow applies the next page of changes to c.
func (s Sync) follow(ctx context.Context, c *Copy) error {
	response, err := s.get(ctx, c.Next)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	type identifier struct{ Type, ID string }
	var page struct {
		Data []struct {
			Attributes    struct{ Action string }
			Relationships struct{ Record struct{ Data identifier } }
		}
		Included []json.RawMessage
		Links    struct{ Next string }
	}
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		return err
	}
	for _, change := range page.Data {
		if of := change.Relationships.Record.Data; change.Attributes.Action == "deleted" {
			delete(c.Records, of.Type+"/"+of.ID)
		}
	}
	for _, record := range page.Included {
		var of identifier
		if err := json.Unmarshal(record, &of); err != nil {
			return err
		}
		c.Records[of.Type+"/"+of.ID] = record
	}
	c.Next = page.Links.Next
	return nil
}

func (s Sync) get(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-Api-Key", s.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode == http.StatusOK {
		return response, err
	}
	_ = response.Body.Close()
	if response.StatusCode == http.StatusGone {
		return nil, errGone
	}
	return nil, fmt.Errorf("the server responded with %s", response.Status)
}

func (s Sync) save(c Copy) error {
	text, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(s.File+".new", text, 0o600)
	}
	if err != nil {
		return err
	}
	return os.Rename(s.File+".new", s.File)
}
