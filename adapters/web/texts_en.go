package web

import "time"

var english = texts{
	Lang: "en",

	Academy: "Academy", SkipToContent: "Skip to content", SignOut: "Sign out", MyCourses: "My courses", Teach: "Teach", UseCoupon: "Use a coupon",
	Devices: "Devices",

	ChooseTitle: "Choose your school", SchoolAddress: "Address of your school",
	SchoolAddressHint: "The part after the last slash, such as riverside-academy.", Continue: "Continue",
	UnknownSchool: "There is no school with this address.",

	SignInTitle: "Sign in to %s", Email: "Email address", SendLink: "Send me a sign-in link", BadEmail: "This is not a valid email address.",
	HintPreregistration: "Only people whom the school has added can sign in. If you are new, ask the school to add you.",
	HintOpen:            "If you are new, enter your address: the link also creates your account.",
	HintURL:             "People of this school enter through the school’s own website. Please open the academy from there.",
	HintSSO:             "People of this school sign in at the school’s own sign-in service.",
	HintNoSSO:           "People of this school sign in at the school’s own sign-in service, but it is not set up yet. Please ask the school.",
	DemoTitle:           "Demo", DemoOwner: "Enter as the owner", DemoInstructor: "Enter as an instructor", DemoLearner: "Enter as a learner",
	CheckMailTitle: "Check your email",
	CheckMailText:  "If you can sign in with this address, an email with a link is on its way. The link works once, for 15 minutes.",
	NoMailTitle:    "This server does not send emails",
	NoMailText:     "Ask the school for a sign-in link. An owner of the school or the operator of the server can create one.", BackToSignIn: "Back to the sign-in page",
	CheckMailNothing: "Nothing arrived? Look in the spam folder, or try again in a minute.", SendAgain: "Try again",
	ConfirmTitle: "Sign in to %s", ConfirmText: "You are about to sign in as %s.", SignIn: "Sign in",
	LostSSO: "The sign-in took too long, was already completed, or began in another browser. Please try again.",

	NoCourses: "You are not enrolled in a course yet. Open the enrollment link of a course, or ask the school.", Progress: "Progress", PercentText: "%s%%",
	CoverActivities: "Contents", NoActivities: "This course has no contents yet.", YouAreEnrolled: "You are enrolled in this course.",
	OpenCourse: "Go to the course", CoverHow: "To take this course, you need to be enrolled. If you are not, ask the school for an enrollment link.",
	EnrollTitle: "Enroll in %s", EnrollText: "You can take this course at your own pace.", Enroll: "Enroll",
	JoinTitle: "Join %s", JoinText: "You will be enrolled in all courses of this group.", Join: "Join",
	CouponCode: "Coupon code", Redeem: "Use the coupon", CouponUsed: "Your coupon was redeemed.", UnknownCode: "There is no coupon with this code.",

	DevicesText: "You are signed in as %s on these devices.", ThisDevice: "this device", UnknownDevice: "Unknown device",
	SignedInSince: "Signed in since", ValidUntil: "valid until", End: "Sign out there", SignOutEverywhere: "Sign out everywhere",

	NotFoundTitle: "Not found", NotFoundText: "This page does not exist. The link may be incomplete or no longer valid.",
	GoneTitle: "This link is no longer valid", GoneText: "It has already been used or has expired. Please request a new one.",
	RefusedTitle: "Not possible", ForeignText: "The request came from another website.", MalformedText: "The form could not be read.",
	TooManyTitle: "Too many attempts", TooManyText: "Please wait a minute and try again.",
	UnavailableTitle: "Temporarily unavailable", UnavailableText: "Please try again in a moment.",
	FailedTitle: "Something went wrong", FailedText: "The error has been logged. Please try again.", BackToStart: "To the start page", Error: "Error",

	Player: englishPlayer,

	date: func(t time.Time) string { return t.UTC().Format("2 January 2006") },
}
