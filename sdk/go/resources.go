package lyceum

// resources contains the resources of a school.
type resources struct {
	People       People
	Partnerships Partnerships

	Categories  Categories
	Courses     Courses
	Activities  Activities
	Quizzes     Quizzes
	Assignments Lister[Assignment]

	Groups      Groups
	Memberships Memberships
	Enrollments Getter[Enrollment] // listed by Courses.Enrollments
	Coupons     Coupons

	Completions  Lister[Completion]
	QuizAttempts Lister[QuizAttempt]
	Submissions  Submissions
	Analytics    Analytics
	Events       Events

	Bulk    Bulk
	APIKeys APIKeys
	School  Schools
}

// Categories manages the headings that group courses.
type Categories struct {
	Lister[Category]
	Getter[Category]
	Creator[NewCategory, Category]
	Updater[ChangedCategory, Category]
	Deleter
}

// Memberships gets and deletes the roles of people in groups; Groups.Memberships lists them.
type Memberships struct {
	Getter[Membership]
	Deleter
}

// Submissions lists and gets the files that learners submitted.
type Submissions struct {
	Lister[Submission]
	Getter[Submission]
}

// Analytics contains the lists of progress, scores and answers.
type Analytics struct {
	Courses        Lister[CourseAnalytics]
	QuizScores     Lister[QuizScore]
	QuizRawAnswers Lister[QuizRawAnswer]
}

// APIKeys manages the API keys of the school, which requires a key with the scope admin. Delete
// revokes a key.
type APIKeys struct {
	Lister[APIKey]
	Getter[APIKey]
	Creator[NewAPIKey, CreatedAPIKey]
	Deleter
}

func newResources(c *Client) resources {
	at := func(path string) endpoint { return endpoint{c, path} }
	people, courses, groups := at("people"), at("courses"), at("groups")
	categories, coupons, keys := at("categories"), at("coupons"), at("api_keys")
	partnerships, submissions := at("partnerships"), at("submissions")
	return resources{
		People: People{
			Lister[Person]{people},
			Getter[Person]{people},
			Creator[NewPerson, Person]{people},
			Updater[ChangedPerson, Person]{people},
			Deleter{people},
		},
		Partnerships: Partnerships{Lister[Partnership]{partnerships}, Getter[Partnership]{partnerships}, Deleter{partnerships}},

		Categories: Categories{
			Lister[Category]{categories},
			Getter[Category]{categories},
			Creator[NewCategory, Category]{categories},
			Updater[ChangedCategory, Category]{categories},
			Deleter{categories},
		},
		Courses: Courses{
			Lister[Course]{courses},
			Getter[Course]{courses},
			Creator[NewCourse, Course]{courses},
			Updater[ChangedCourse, Course]{courses},
			Deleter{courses},
		},
		Activities:  Activities{Lister[Activity]{at("activities")}, Getter[Activity]{at("activities")}},
		Quizzes:     Quizzes{Lister[Quiz]{at("quizzes")}, Getter[Quiz]{at("quizzes")}},
		Assignments: Lister[Assignment]{at("assignments")},

		Groups: Groups{
			Lister[ListedGroup]{groups},
			Getter[Group]{groups},
			Creator[NewGroup, Group]{groups},
			Updater[ChangedGroup, Group]{groups},
			Deleter{groups},
		},
		Memberships: Memberships{Getter[Membership]{at("memberships")}, Deleter{at("memberships")}},
		Enrollments: Getter[Enrollment]{at("enrollments")},
		Coupons: Coupons{
			Lister[Coupon]{coupons},
			Getter[Coupon]{coupons},
			Creator[NewCoupon, Coupon]{coupons},
			Updater[ChangedCoupon, Coupon]{coupons},
			Deleter{coupons},
		},

		Completions:  Lister[Completion]{at("activity_completions")},
		QuizAttempts: Lister[QuizAttempt]{at("quiz_attempts")},
		Submissions:  Submissions{Lister[Submission]{submissions}, Getter[Submission]{submissions}},
		Analytics: Analytics{
			Lister[CourseAnalytics]{at("analytics/courses")},
			Lister[QuizScore]{at("analytics/quiz_scores")},
			Lister[QuizRawAnswer]{at("analytics/quiz_raw_answers")},
		},
		Events: Events{Lister[Event]{at("events")}},

		Bulk:    Bulk{at("bulk")},
		APIKeys: APIKeys{Lister[APIKey]{keys}, Getter[APIKey]{keys}, Creator[NewAPIKey, CreatedAPIKey]{keys}, Deleter{keys}},
		School:  Schools{at("school")},
	}
}
