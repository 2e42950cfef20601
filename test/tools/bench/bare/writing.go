package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/lib/pq"
)

const (
	// A new person is invited. The job has a kind that no worker processes.
	insertPerson = `
		WITH person AS (
			INSERT INTO people (school_id, id, email, email_key, email_fold, first_name, first_name_fold, last_name, last_name_fold,
				full_name, full_name_fold, unsubscribed, created_at, updated_at)
			VALUES ($1, $2, $3, lower($3), lower($3), $4, lower($4), $5, lower($5), $6, lower($6), false, $7, $7)
		),
		invitation AS (
			INSERT INTO invitations (school_id, person_id, message_id, requested_at) VALUES ($1, $2, $8, $7)
		)
		INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
		VALUES ($1, $8, 'bare', $2::uuid::text, 'waiting', 0, $7, '', $7, $7)`
	insertEnrollments = `
		INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
		SELECT $1, gen_random_uuid(), $2, c, 'learner', $4, $4 FROM unnest($3::uuid[]) c
		ON CONFLICT (school_id, person_id, role, course_id) DO NOTHING`
	insertEvent = `
		WITH feed AS (
			INSERT INTO event_feeds AS f (school_id, position, last_at) VALUES ($1, 1, $5)
			ON CONFLICT (school_id) DO UPDATE SET
				position = f.position + 1, last_at = greatest(excluded.last_at, f.last_at + interval '1 millisecond')
			RETURNING position, last_at
		)
		INSERT INTO events (school_id, position, kind, person_id, activity_id, created_at)
		SELECT $1, position, $2, $3, $4, last_at FROM feed RETURNING created_at`
)

type newPerson struct {
	Data struct {
		Attributes struct {
			Email     string `json:"email"`
			FirstName string `json:"first_name"`
			LastName  string `json:"last_name"`
		} `json:"attributes"`
	} `json:"data"`
}

type newEvent struct {
	Data struct {
		Type          string `json:"type"`
		Relationships struct {
			Person   toOne `json:"person"`
			Activity toOne `json:"activity"`
		} `json:"relationships"`
	} `json:"data"`
}

// writing adds the routes that change data.
func (b *bare) writing(ctx context.Context, on gin.IRoutes) error {
	create, err := b.db.PreparexContext(ctx, insertPerson)
	if err != nil {
		return err
	}
	enroll, err := b.db.PreparexContext(ctx, insertEnrollments) //lint:ignore sqlclosecheck it is used as long as the program runs
	if err != nil {
		return err
	}
	record, err := b.db.PreparexContext(ctx, insertEvent)
	if err != nil {
		return err
	}
	on.POST("/v2/people", func(c *gin.Context) {
		var body newPerson
		if err := c.ShouldBindBodyWithJSON(&body); err != nil {
			fail(c, err)
			return
		}
		in, now := body.Data.Attributes, time.Now()
		row := personRow{
			ID: uuid.Must(uuid.NewV7()), Email: in.Email, FullName: strings.TrimSpace(in.FirstName + " " + in.LastName),
			CreatedAt: now, UpdatedAt: now,
		}
		if _, err := create.ExecContext(c, b.school, row.ID, in.Email, in.FirstName, in.LastName, row.FullName, now, uuid.Must(uuid.NewV7())); err != nil {
			fail(c, err)
			return
		}
		send(c, http.StatusCreated, document[person]{Data: b.person(row)})
	})
	on.POST("/v2/people/:id/relationships/courses", func(c *gin.Context) {
		var body toMany
		if err := c.ShouldBindBodyWithJSON(&body); err != nil {
			fail(c, err)
			return
		}
		ids := make([]string, len(body.Data))
		for i, course := range body.Data {
			ids[i] = course.ID.String()
		}
		if _, err := enroll.ExecContext(c, b.school, c.Param("id"), pq.Array(ids), time.Now()); err != nil {
			fail(c, err)
			return
		}
		c.Status(http.StatusNoContent)
	})
	on.POST("/v2/events", func(c *gin.Context) {
		var body newEvent
		if err := c.ShouldBindBodyWithJSON(&body); err != nil {
			fail(c, err)
			return
		}
		row := eventRow{
			Kind: body.Data.Type, Person: body.Data.Relationships.Person.Data.ID, Activity: body.Data.Relationships.Activity.Data.ID,
		}
		if err := record.GetContext(c, &row.CreatedAt, b.school, row.Kind, row.Person, row.Activity, time.Now()); err != nil {
			fail(c, err)
			return
		}
		send(c, http.StatusCreated, document[event]{Data: eventOf(row)})
	})
	return nil
}
