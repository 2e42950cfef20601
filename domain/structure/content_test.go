package structure_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/structure"
)

// A plan without a text or a video address leaves the existing one unchanged. An empty value
// removes it.
func TestTextAndVideoURL(t *testing.T) {
	none, words, address, minute := "", "# Words", "https://media.example.test/a.mp4", int64(60)
	film := activity.Content{Kind: activity.Video, Duration: time.Minute, VideoURL: address, Text: words}
	for name, tt := range map[string]struct {
		plan   structure.Activity
		want   activity.Content
		fields []string // changed fields; nil: unchanged
	}{
		"absent":    {structure.Activity{Kind: "video", Duration: &minute}, film, nil},
		"same":      {structure.Activity{Kind: "video", Duration: &minute, VideoURL: &address, Text: &words}, film, nil},
		"no text":   {structure.Activity{Kind: "video", Duration: &minute, Text: &none}, activity.Content{Kind: activity.Video, Duration: time.Minute, VideoURL: address}, []string{"text"}},
		"no video":  {structure.Activity{Kind: "video", Duration: &minute, VideoURL: &none}, activity.Content{Kind: activity.Video, Duration: time.Minute, Text: words}, []string{"video_url"}},
		"swapped":   {structure.Activity{Kind: "video", Duration: &minute, Text: &address}, activity.Content{Kind: activity.Video, Duration: time.Minute, VideoURL: address, Text: address}, []string{"text"}},
		"text only": {structure.Activity{Kind: "text"}, activity.Content{Kind: activity.Text, Text: words}, []string{"kind", "duration", "video_url"}},
	} {
		t.Run(name, func(t *testing.T) {
			is, was := is.New(t), before()
			was.Activities[0].Content = film
			tt.plan.Key, tt.plan.Title = "text", "text"
			r, err := was.Revise(structure.Plan{Activities: []structure.Activity{
				tt.plan, {Key: "quiz", Title: "quiz", Kind: "quiz", Quiz: asks("one")},
			}}, structure.Usage{}, numbered(), now)
			is.NoErr(err)
			is.Equal(r.After.Activities[0].Content, tt.want)
			is.Equal(r.Empty(), tt.fields == nil)
			if tt.fields != nil {
				is.Equal(r.Report.Changed[0].Fields, tt.fields)
				is.Equal(r.Changed[0].State().UpdatedAt, now)
			}
		})
	}
}
