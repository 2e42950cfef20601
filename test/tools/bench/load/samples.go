package main

import (
	"context"
	"database/sql"
	"fmt"
)

// samples contains values for the parameters of requests.
type samples struct {
	people, emails    []string // ids of activated people, and email addresses; in random order
	courses           []string
	learners, catalog []string // ids of people and courses that have analytics
	viewers, viewed   []string // people and activities: the n-th person may view the n-th activity
	// The words of searches: rare words have few results, common words have many. late are common
	// words of which the first results are late in the alphabet. pair are words of two characters.
	rare, common, late, twoWords, pair []string
}

func (s *school) sample(ctx context.Context) error {
	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for _, one := range []struct {
		into *[]string
		text string
	}{
		{&s.people, `SELECT id FROM people WHERE school_id = $1 AND activated_at IS NOT NULL ORDER BY md5(id::text) LIMIT 50000`},
		{&s.emails, `SELECT email FROM people WHERE school_id = $1 ORDER BY md5(id::text) LIMIT 5000`},
		{&s.courses, `SELECT id FROM courses WHERE school_id = $1 ORDER BY md5(id::text)`},
		{&s.learners, `SELECT person_id FROM course_analytics_rows WHERE school_id = $1 ORDER BY enrolled_at LIMIT 1000`},
		{&s.catalog, `SELECT course_id FROM quiz_scores WHERE school_id = $1 GROUP BY 1 ORDER BY md5(course_id::text) LIMIT 500`},
		{&s.viewers, `SELECT person_id FROM events WHERE school_id = $1 ORDER BY position LIMIT 5000`},
		{&s.viewed, `SELECT activity_id FROM events WHERE school_id = $1 ORDER BY position LIMIT 5000`},
		{&s.rare, `SELECT full_name FROM people WHERE school_id = $1 AND full_name <> '' ORDER BY md5(id::text) LIMIT 500`},
		{&s.common, `SELECT first_name FROM people WHERE school_id = $1 AND length(first_name) > 3 GROUP BY 1 ORDER BY count(*) DESC LIMIT 5`},
		{&s.late, `SELECT first_name FROM people WHERE school_id = $1 AND length(first_name) > 2 GROUP BY 1
			HAVING count(*) > 20 ORDER BY min(full_name_fold) DESC LIMIT 5`},
		{&s.twoWords, `SELECT left(first_name, 3) || ' ' || left(last_name, 4) FROM people WHERE school_id = $1 AND length(first_name) > 3
			AND length(last_name) > 3 GROUP BY 1 ORDER BY md5(min(id::text)) LIMIT 50`},
	} {
		if err := read(ctx, db, one.into, one.text, s.id); err != nil {
			return err
		}
	}
	s.pair = []string{"an", "er", "ma", "li"}
	return nil
}

func read(ctx context.Context, db *sql.DB, into *[]string, text, school string) error {
	rows, err := db.QueryContext(ctx, text, school)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return err
		}
		*into = append(*into, value)
	}
	if len(*into) == 0 {
		return fmt.Errorf("no sample: %s", text)
	}
	return rows.Err()
}

// cycle returns the n-th value. After the last value it continues with the first.
func cycle(values []string, n uint64) string { return values[n%uint64(len(values))] }
