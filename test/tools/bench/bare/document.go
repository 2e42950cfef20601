package main

import (
	"time"

	"github.com/google/uuid"
)

type document[D any] struct {
	Links links `json:"links,omitzero"`
	Data  D     `json:"data"`
}

type links struct {
	Self string `json:"self"`
	Next string `json:"next,omitempty"`
}

// resource is a resource with attributes A, relationships R and links L.
type resource[A, R, L any] struct {
	Type          string `json:"type"`
	ID            any    `json:"id,omitempty"`
	Attributes    A      `json:"attributes"`
	Relationships R      `json:"relationships,omitzero"`
	Links         L      `json:"links,omitzero"`
}

type identifier struct {
	Type string    `json:"type"`
	ID   uuid.UUID `json:"id"`
}

type toOne struct {
	Data identifier `json:"data"`
}

type toMany struct {
	Data []identifier `json:"data"`
}

type link struct {
	Href    string   `json:"href"`
	Methods []string `json:"methods"`
}

type none struct{}

func toOneOf(kind string, id uuid.UUID) toOne { return toOne{identifier{kind, id}} }

const layout = "2006-01-02T15:04:05.000Z"

func instant(t time.Time) string { return t.UTC().Format(layout) }

func optionalInstant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := instant(*t)
	return &s
}
