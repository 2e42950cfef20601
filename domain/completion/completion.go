// Package completion decides which work completes an activity. A quiz is completed when every
// question of one quiz attempt has an answer, an assignment by its first submission, a video when
// most of it was watched. A text is completed only by an explicit completion, which completes
// activities of every kind.
package completion

import (
	"lyceum/domain/event"
	"lyceum/domain/quizattempt"
)

// MinWatched is the smallest fraction of a video that completes it: 90 %, because few viewers watch
// the credits.
const MinWatched event.Fraction = 900_000

// ByAnswers reports whether a quiz attempt with the score completes its activity.
func ByAnswers(s quizattempt.Score) bool { return s.Total > 0 && s.Complete() }

// ByEvent reports whether the event completes its activity. Fractions of several events are not
// added: they may cover the same part of the video.
func ByEvent(e event.Event) bool {
	return e.Kind == event.ViewedVideo && e.Watched != nil && *e.Watched >= MinWatched
}
