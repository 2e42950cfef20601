// Package schoolfile is schools as data: those that an operator writes down in a
// file, the demo school, and generated ones of any size. Each becomes an
// app.Blueprint.
//
// A school file is JSON: one school, or an array of schools. Of a school only
// the name is needed; every other member may be absent.
//
//	{
//	  "name": "Riverside Academy",
//	  "authentication": "preregistration",     // or open, url, sso
//	  "id": "8c9b1f0e-…", "created_at": "2026-01-02T15:04:05Z",
//	  "keys": [
//	    {"name": "Website", "secret": "lyc_…"} // without a secret one is made and shown
//	  ],
//	  "categories": [
//	    {"name": "Photography", "id": …, "created_at": …}
//	  ],
//	  "coupons": [
//	    {"code": "SPRING", "currency_code": "EUR",
//	     "format": "fixed", "value": 12.5,         // or percentage, at most 100
//	     "start_on": "2026-03-01", "end_on": "2026-05-31",
//	     "maximum_usages": 100, "usages_count": 3, "enabled": true,
//	     "redemptions": [                          // which of the usages are known
//	       {"email": "ben@example.test", "at": "2026-03-02T10:00:00Z"}
//	     ], "id": …, "created_at": …}
//	  ],
//	  "people": [
//	    {"email": "ada@example.test", "first_name": "Ada", "last_name": "Lovelace",
//	     "activated": true, "roles": ["owner", "instructor"], "id": …, "created_at": …},
//	    {"email": "new@example.test",
//	     "invitation": {"token": "…40 hex digits…", // of the link, …/invitations/<token>
//	       "at": "2026-03-01T10:00:00Z", "until": "2026-12-31T00:00:00Z"}}
//	  ],
//	  "quizzes": [
//	    {"name": "Exposure basics", "id": …, "created_at": …,
//	     "questions": [{"text": "What lets more light in?",
//	       "choices": [{"text": "A wider aperture", "correct": true}, {"text": "A smaller one"}]}]}
//	  ],
//	  "assignments": [
//	    {"title": "One portrait", "id": …, "created_at": …}
//	  ],
//	  "courses": [
//	    {"name": "Seeing Light", "permalink": "seeing-light",
//	     "categories": ["Photography"],            // by name
//	     "instructors": ["ada@example.test"],      // by e-mail address, of people with a role
//	     "enrollments": [{"email": "ben@example.test", "role": "learner"}], // or manager
//	     "activities": [
//	       {"title": "What light does", "id": …, "created_at": …}, // something to read
//	       {"title": "At a window", "seconds": 612},               // a video
//	       {"title": "Do you see it?", "quiz": "Exposure basics"}, // by name
//	       {"title": "Your portrait", "assignment": "One portrait"} // by title
//	     ],
//	     "facts": [                                // what learners of the course have done
//	       {"email": "ben@example.test", "at": "2026-02-03T10:00:00Z", "did": "viewed", "activity": "What light does"},
//	       {"email": …, "at": …, "did": "watched", "activity": "At a window", "fraction": 0.75}, // 0 to 1
//	       {"email": …, "at": …, "did": "answered", "activity": "Do you see it?",
//	        "question": "What lets more light in?", "chosen": ["A wider aperture"]},
//	       {"email": …, "at": …, "did": "submitted", "activity": "Your portrait",
//	        "file": {"name": "portrait.txt", "media_type": "text/plain", "text": "…"}},
//	       {"email": …, "at": …, "did": "completed", "activity": "What light does"},
//	       {"email": …, "at": …, "did": "retook"}  // the course, once it is complete
//	     ],
//	     "enroll_token": "…40 hex digits…", "id": …, "created_at": …}
//	  ],
//	  "groups": [
//	    {"name": "Spring term", "courses": ["seeing-light"], // by permalink
//	     "members": ["ben@example.test"],          // by e-mail address; enrolled in the courses
//	     "managers": ["ada@example.test"],
//	     "enroll_token": …, "id": …, "created_at": …}
//	  ]
//	}
//
// (The comments are for this page; JSON has none.) A permalink is made of the
// course's name where it is absent, ids and enrollment tokens are made, times
// are the time of loading. A coupon without "enabled" is, and without "end_on" it
// never ends. People without "activated" have not accepted their invitation yet;
// without "until" its link holds for 14 days. An enrollment without a role is a learner's. Progress, scores and events follow from
// the facts, which count in the order of their times; facts are of people who learn
// in the course, by an enrollment or in a group. A member that is
// not listed here is refused, so that a mistyped one is noticed, and so is one
// that stands twice. docs/examples/school.json is a whole file.
//
// A file with secrets is a secret itself.
package schoolfile
