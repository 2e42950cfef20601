package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goccy/go-json"
)

// object is a JSON object.
type object map[string]any

// imported returns the school with the given name. At the first call it imports the people p0 to
// p(n-1), a course and the lines of fill.
func (s *server) imported(ctx context.Context, name string, n int, fill func(add func(object))) (*school, error) {
	if s.schools[name] != nil {
		return s.schools[name], nil
	}
	file := filepath.Join(s.dir, "school.jsonl")
	if err := write(file, func(add func(object)) {
		add(object{"kind": "school", "format": 1, "name": name})
		for i := range n {
			add(object{"kind": "person", "email": email(i), "first_name": "Learner", "last_name": fmt.Sprint(i), "activated_at": activatedAt})
		}
		add(object{"kind": "course", "permalink": permalink, "name": name})
		fill(add)
		add(object{"kind": "end"})
	}); err != nil {
		return nil, err
	}
	if _, err := s.command(ctx, "import", file, "--create"); err != nil {
		return nil, err
	}
	key, err := s.command(ctx, "key", "create", "--school", name)
	if err != nil {
		return nil, err
	}
	made := &school{key: key}
	if err := s.db.GetContext(ctx, &made.id, "SELECT id FROM schools WHERE name = $1", name); err != nil {
		return nil, err
	}
	s.schools[name] = made
	return made, s.settle(ctx, 0)
}

// write writes the objects that fill adds as lines of a file.
func write(file string, fill func(add func(object))) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	b := bufio.NewWriter(out)
	lines := json.NewEncoder(b)
	fill(func(line object) {
		if err == nil {
			err = lines.Encode(line)
		}
	})
	if err == nil {
		err = b.Flush()
	}
	return err
}
