package schoolfile

import "encoding/json"

// The members of a school file. Times and ids are read as texts, so that all
// that is wrong with them can be told at once.
type (
	schoolDoc struct {
		ID             string          `json:"id"`
		Name           string          `json:"name"`
		Authentication string          `json:"authentication"`
		CreatedAt      string          `json:"created_at"`
		Keys           []keyDoc        `json:"keys"`
		Categories     []categoryDoc   `json:"categories"`
		Coupons        []couponDoc     `json:"coupons"`
		People         []personDoc     `json:"people"`
		Quizzes        []quizDoc       `json:"quizzes"`
		Assignments    []assignmentDoc `json:"assignments"`
		Courses        []courseDoc     `json:"courses"`
		Groups         []groupDoc      `json:"groups"`
	}

	keyDoc struct {
		Name   string `json:"name"`
		Secret string `json:"secret"`
		Scope  string `json:"scope"`
	}

	categoryDoc struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		CreatedAt string `json:"created_at"`
	}

	couponDoc struct {
		ID            string          `json:"id"`
		Code          string          `json:"code"`
		Currency      string          `json:"currency_code"`
		Enabled       *bool           `json:"enabled"`
		StartOn       string          `json:"start_on"`
		EndOn         string          `json:"end_on"`
		Format        string          `json:"format"`
		Value         json.Number     `json:"value"`
		UsagesCount   int64           `json:"usages_count"`
		MaximumUsages int64           `json:"maximum_usages"`
		Redemptions   []redemptionDoc `json:"redemptions"`
		CreatedAt     string          `json:"created_at"`
	}

	redemptionDoc struct {
		Email string `json:"email"`
		At    string `json:"at"`
	}

	personDoc struct {
		ID         string         `json:"id"`
		Email      string         `json:"email"`
		FirstName  string         `json:"first_name"`
		LastName   string         `json:"last_name"`
		Activated  bool           `json:"activated"`
		Invitation *invitationDoc `json:"invitation"`
		Roles      []string       `json:"roles"`
		CreatedAt  string         `json:"created_at"`
	}

	invitationDoc struct {
		Token string `json:"token"`
		At    string `json:"at"`
		Until string `json:"until"`
	}

	courseDoc struct {
		ID          string          `json:"id"`
		Name        string          `json:"name"`
		Permalink   string          `json:"permalink"`
		Categories  []string        `json:"categories"`
		Instructors []string        `json:"instructors"`
		EnrollToken string          `json:"enroll_token"`
		Activities  []activityDoc   `json:"activities"`
		Enrollments []enrollmentDoc `json:"enrollments"`
		Facts       []factDoc       `json:"facts"`
		CreatedAt   string          `json:"created_at"`
	}

	groupDoc struct {
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Courses     []string `json:"courses"`
		Members     []string `json:"members"`
		Managers    []string `json:"managers"`
		EnrollToken string   `json:"enroll_token"`
		CreatedAt   string   `json:"created_at"`
	}

	quizDoc struct {
		ID        string        `json:"id"`
		Name      string        `json:"name"`
		Questions []questionDoc `json:"questions"`
		CreatedAt string        `json:"created_at"`
	}

	questionDoc struct {
		Text    string      `json:"text"`
		Choices []choiceDoc `json:"choices"`
	}

	choiceDoc struct {
		Text    string `json:"text"`
		Correct bool   `json:"correct"`
	}

	assignmentDoc struct {
		ID        string `json:"id"`
		Title     string `json:"title"`
		CreatedAt string `json:"created_at"`
	}

	activityDoc struct {
		ID         string `json:"id"`
		Title      string `json:"title"`
		Seconds    int64  `json:"seconds"`
		Quiz       string `json:"quiz"`
		Assignment string `json:"assignment"`
		CreatedAt  string `json:"created_at"`
	}

	factDoc struct {
		Email    string      `json:"email"`
		Did      string      `json:"did"`
		Activity string      `json:"activity"`
		At       string      `json:"at"`
		Fraction json.Number `json:"fraction"`
		Question string      `json:"question"`
		Chosen   []string    `json:"chosen"`
		File     fileDoc     `json:"file"`
	}

	fileDoc struct {
		Name      string `json:"name"`
		MediaType string `json:"media_type"`
		Text      string `json:"text"`
	}

	enrollmentDoc struct {
		Email string `json:"email"`
		Role  string `json:"role"`
	}
)
