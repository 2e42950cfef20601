package web

import (
	"net/http"
	"time"

	"golang.org/x/text/language"
)

// texts contains all texts of the pages in one language. In a text, %s stands for a name or a
// number.
type texts struct {
	Lang string

	Academy, SkipToContent, SignOut, MyCourses, Teach, UseCoupon, Devices string

	ChooseTitle, SchoolAddress, SchoolAddressHint, Continue, UnknownSchool string

	SignInTitle, Email, SendLink, BadEmail                     string
	HintPreregistration, HintOpen, HintURL, HintSSO, HintNoSSO string
	DemoTitle, DemoOwner, DemoInstructor, DemoLearner          string
	CheckMailTitle, CheckMailText, CheckMailNothing, SendAgain string
	NoMailTitle, NoMailText, BackToSignIn                      string
	ConfirmTitle, ConfirmText, SignIn, LostSSO                 string

	NoCourses, Progress, PercentText                                    string
	CoverActivities, NoActivities, YouAreEnrolled, OpenCourse, CoverHow string
	EnrollTitle, EnrollText, Enroll                                     string
	JoinTitle, JoinText, Join                                           string
	CouponCode, Redeem, CouponUsed, UnknownCode                         string

	DevicesText, ThisDevice, UnknownDevice, SignedInSince, ValidUntil, End, SignOutEverywhere string

	NotFoundTitle, NotFoundText, GoneTitle, GoneText, RefusedTitle, ForeignText, MalformedText                string
	TooManyTitle, TooManyText, UnavailableTitle, UnavailableText, FailedTitle, FailedText, BackToStart, Error string

	Player playerTexts

	date func(time.Time) string // the day in UTC
}

// catalog contains the texts by language. Visitors whose preferred languages are not in the catalog
// get the first language.
var catalog = []*texts{&english, &german}

var matcher = func() language.Matcher {
	tags := make([]language.Tag, len(catalog))
	for i, t := range catalog {
		tags[i] = language.Make(t.Lang)
	}
	return language.NewMatcher(tags)
}()

// textsFor returns the texts in the language that the header Accept-Language of r prefers.
func textsFor(r *http.Request) *texts {
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(wanted) == 0 {
		return catalog[0]
	}
	_, i, confidence := matcher.Match(wanted...)
	if confidence == language.No {
		return catalog[0]
	}
	return catalog[i]
}
