package app

import (
	"fmt"
	"time"

	"lyceum/app/learning"
	"lyceum/domain/attempt"
	"lyceum/domain/event"
	"lyceum/domain/person"
)

// viewInterval is the minimum interval between two views of an activity in the event feed.
const viewInterval = 10 * time.Minute

// Viewed returns the report that person has viewed the activity p. Reports of the same view have
// the same client ID, so that loading a page again and again does not fill the event feed: in a
// course attempt, the feed gets a view of each activity in each interval of 10 minutes.
func (u *Player) Viewed(person person.ID, p PlayedActivity) learning.EventReport {
	at := u.deps.Clock.Now().Truncate(viewInterval)
	return learning.EventReport{Kind: event.ViewedActivity, Person: person, Activity: p.Activity.ID, ClientID: pageEvent(p, at, "")}
}

// Watched returns the report that person has watched a share of the video p, rounded down to a
// percent. In a course attempt, the feed gets each percentage of each video once a day.
func (u *Player) Watched(person person.ID, p PlayedActivity, share event.Fraction) learning.EventReport {
	const percent = 10_000 // in millionths
	day, percents := u.deps.Clock.Now().Truncate(24*time.Hour), share/percent
	return learning.EventReport{
		Kind: event.ViewedVideo, Person: person, Activity: p.Activity.ID, Watched: percents * percent,
		ClientID: pageEvent(p, day, fmt.Sprintf("-%d", percents)),
	}
}

// pageEvent returns the client ID of an event of the activity p in the interval that begins at the
// given time. It is blank if the learner has no course attempt yet: the event begins it.
func pageEvent(p PlayedActivity, interval time.Time, suffix string) string {
	if p.Attempt == (attempt.ID{}) {
		return ""
	}
	return fmt.Sprintf("academy-%s-%s-%d%s", p.Attempt, p.Activity.ID, interval.Unix(), suffix)
}
