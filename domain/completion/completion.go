// Package completion decides what completes an activity: for a quiz, an attempt with an answer to
// every question; for an assignment, the first submission; for a video, an event that reports that
// at least MinWatched of it was watched. Activities of every kind, texts included, can also be
// completed by an explicit request. Package attempt decides when a course is completed.
package completion

import (
	"lyceum/domain/event"
	"lyceum/domain/quizattempt"
)

// MinWatched is the smallest fraction of a video that completes it: 90%, because few viewers watch
// the credits.
const MinWatched event.Fraction = 900_000

// ByAnswers reports whether a quiz attempt with the score completes its activity.
func ByAnswers(s quizattempt.Score) bool { return s.Total > 0 && s.Complete() }

// ByEvent reports whether the event completes its activity. Fractions of several events are not
// added: they may cover the same part of the video.
func ByEvent(e event.Event) bool {
	return e.Kind == event.ViewedVideo && e.Watched != nil && *e.Watched >= MinWatched
}
