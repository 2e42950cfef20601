// Package completion decides which work completes an activity. A quiz is
// completed when one quiz attempt has an answer to each question, an assignment
// by its first submission, a video when most of it was watched. A text is
// completed only by a reported completion, which completes activities of every
// kind.
package completion

import (
	"lyceum/domain/event"
	"lyceum/domain/quizattempt"
)

// MinWatched is the smallest fraction of a video that completes it: 90 %, since
// credits are seldom watched.
const MinWatched event.Fraction = 900_000

// ByAnswers reports whether a quiz attempt with the score completes its activity.
func ByAnswers(s quizattempt.Score) bool { return s.Total > 0 && s.Complete() }

// ByEvent reports whether the event completes its activity. The fractions of
// several events are not added up: they may be of the same part of the video.
func ByEvent(e event.Event) bool {
	return e.Kind == event.ViewedVideo && e.Watched != nil && *e.Watched >= MinWatched
}
