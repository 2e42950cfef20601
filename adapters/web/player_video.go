package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/completion"
	"lyceum/domain/event"
	"lyceum/domain/fault"
)

// videoData is the data of a video.
type videoData struct {
	Address string // blank: none
	Shown   bool   // whether the page may load the video; otherwise it has a link
}

func (x *siteRequest) newVideoData(c activity.Content) *videoData {
	return &videoData{Address: c.VideoURL, Shown: c.VideoURL != "" && x.site.mayLoad(c.VideoURL)}
}

// mayLoad reports whether pages may load videos and images from the origin of an address.
func (s *Site) mayLoad(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && slices.Contains(s.cfg.Media, strings.ToLower(u.Scheme+"://"+u.Host))
}

// reportWatched records the share of the video that the learner has watched. It responds with
// "done" if the share is large enough to complete the activity.
func reportWatched(x *siteRequest) error {
	p, err := x.played()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	share, err := strconv.ParseFloat(form.Get("watched"), 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return fault.Malformedf("watched", "must be between 0 and 1")
	}
	watched := event.Fraction(share * 1e6)
	_, err = x.site.app.Learning.RecordEvents(x.r.Context(), x.visitor.Actor, []learning.EventReport{
		x.site.app.Player.Watched(x.visitor.Person.ID, p, watched),
	})
	if err != nil {
		return err
	}
	x.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if watched >= completion.MinWatched {
		_, _ = x.w.Write([]byte("done"))
	}
	return nil
}
