package concurrency_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

const asJSON = "application/json"

// history is a random sequence of requests that change a school. Several histories run at once, so
// a record may be gone and a request may be refused.
type history struct {
	schoolClient
	random *rand.Rand
	seed   int
	ids    map[string][]string // by type
}

// newHistory returns a history of the school with the given records. Histories with the same seed
// begin with the same request.
func newHistory(c schoolClient, seed int, all records) *history {
	h := &history{c, rand.New(rand.NewPCG(uint64(seed), 19)), seed, map[string][]string{}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		of, id, _ := strings.Cut(name, "/")
		h.ids[of] = append(h.ids[of], id)
	}
	return h
}

// id returns the ID of a random record of the type.
func (h *history) id(of string) string { return h.ids[of][h.random.IntN(len(h.ids[of]))] }

// name returns a random name.
func (h *history) name() string { return fmt.Sprintf("Copy %d %d", h.seed, h.random.IntN(1e9)) }

// create sends a new record and saves its ID.
func (h *history) create(of, attributes, relationships string) {
	body := fmt.Sprintf(`{"data":{"type":"%s","attributes":{%s},"relationships":{%s}}}`, of, attributes, relationships)
	status, text := h.send(http.MethodPost, "/v2/"+of, asJSON, body)
	var made struct{ Data resource }
	if err := json.Unmarshal(text, &made); err == nil && status == http.StatusCreated {
		h.ids[of] = append(h.ids[of], made.Data.ID)
	}
}

// change sends an attribute of a random record.
func (h *history) change(of, attribute string) {
	h.send(http.MethodPatch, "/v2/"+of+"/"+h.id(of), asJSON, fmt.Sprintf(`{"data":{"attributes":{"%s":"%s"}}}`, attribute, h.name()))
}

// remove deletes a random record, but only one in three times, so that some remain.
func (h *history) remove(of string) {
	if h.random.IntN(3) == 0 {
		h.send(http.MethodDelete, "/v2/"+of+"/"+h.id(of), asJSON, "")
	}
}

// relate adds or removes a relationship between two random records.
func (h *history) relate(of, relationship, other, sent string) {
	method := []string{http.MethodPost, http.MethodPost, http.MethodDelete}[h.random.IntN(3)]
	h.send(method, "/v2/"+of+"/"+h.id(of)+"/relationships/"+relationship, asJSON, fmt.Sprintf(`{"data":[{"type":"%s","id":"%s"}]}`, sent, h.id(other)))
}

// person returns a relationship to a random person.
func (h *history) person() string {
	return fmt.Sprintf(`"person":{"data":{"type":"people","id":"%s"}}`, h.id("people"))
}

// step sends one random change.
func (h *history) step() {
	steps := []func(){
		func() {
			h.create("people", fmt.Sprintf(`"email":"p%d.%d@example.test"`, h.seed, h.random.IntN(1e9)), "")
		},
		func() { h.change("people", "first_name") },
		func() { h.remove("people") },
		func() { h.create("categories", `"name":"`+h.name()+`"`, "") },
		func() { h.change("categories", "name") },
		func() { h.remove("categories") },
		func() { h.create("courses", `"name":"`+h.name()+`"`, "") },
		func() { h.change("courses", "name") },
		func() { h.remove("courses") },
		func() { h.create("groups", `"name":"`+h.name()+`"`, "") },
		func() { h.change("groups", "name") },
		func() { h.remove("groups") },
		func() {
			h.create("coupons", fmt.Sprintf(`"code":"C%d%d","format":"percentage","value":5`, h.seed, h.random.IntN(1e9)), "")
		},
		func() { h.change("coupons", "code") },
		func() { h.remove("coupons") },
		func() { h.create("partnerships", `"role":"instructor"`, h.person()) },
		func() { h.remove("partnerships") },
		func() { h.relate("courses", "learners", "people", "people") },
		func() { h.relate("people", "courses", "courses", "enrolled-courses") },
		func() { h.relate("groups", "people", "people", "people") },
		func() { h.relate("groups", "courses", "courses", "courses") },
		func() { h.relate("courses", "categories", "categories", "categories") },
		func() { h.record("activities", "completions", "activity_completions") },
		func() { h.record("coupons", "redemptions", "coupon_redemptions") },
		func() { h.record("courses", "attempts", "course_attempts") },
		h.answer,
		h.submit,
		h.author,
		h.define,
		func() {
			h.send(http.MethodPatch, "/v2/school", asJSON, `{"data":{"attributes":{"name":"`+h.name()+`"}}}`)
		},
	}
	steps[h.random.IntN(len(steps))]()
}

// record adds what a random person has done.
func (h *history) record(of, list, sent string) {
	h.send(http.MethodPost, "/v2/"+of+"/"+h.id(of)+"/"+list, asJSON, `{"data":{"type":"`+sent+`","relationships":{`+h.person()+`}}}`)
}

// structure returns the activities of a random course and their address.
func (h *history) structure() (target string, activities []map[string]any) {
	target = "/v2/courses/" + h.id("courses") + "/structure"
	_, text := h.send(http.MethodGet, target, asJSON, "")
	var course struct {
		Data struct {
			Attributes struct{ Activities []map[string]any }
		}
	}
	_ = json.Unmarshal(text, &course) // a course that is gone has no activities
	return target, course.Data.Attributes.Activities
}

// answer answers the first question of each quiz of a random course.
func (h *history) answer() {
	_, activities := h.structure()
	for _, one := range activities {
		quiz, ok := one["quiz"].(map[string]any)
		if !ok {
			continue
		}
		question := quiz["questions"].([]any)[0].(map[string]any)
		choice := question["choices"].([]any)[0].(map[string]any)["text"]
		h.send(http.MethodPost, fmt.Sprintf("/v2/quizzes/%s/answers", quiz["id"]), asJSON, fmt.Sprintf(
			`{"data":{"type":"quiz_raw_answers","attributes":{"response":"%s"},"relationships":{%s,"question":{"data":{"type":"questions","id":"%s"}}}}}`,
			choice, h.person(), question["id"]))
	}
}

// submit submits a file for a random assignment.
func (h *history) submit() {
	const part = "--b\r\nContent-Disposition: form-data; name="
	h.send(http.MethodPost, "/v2/assignments/"+h.id("assignments")+"/submissions", "multipart/form-data; boundary=b",
		part+"\"person\"\r\n\r\n"+h.id("people")+"\r\n"+part+"\"file\"; filename=\"a.txt\"\r\n\r\ntext\r\n--b--\r\n")
}

// author renames an activity of a random course, or removes its last activity.
func (h *history) author() {
	target, activities := h.structure()
	if len(activities) == 0 {
		return
	}
	activities[0]["title"] = h.name()
	if h.random.IntN(4) == 0 {
		activities = activities[:len(activities)-1]
	}
	body, err := json.Marshal(map[string]any{"data": map[string]any{"type": "course_structures", "attributes": map[string]any{"activities": activities}}})
	if err != nil {
		h.t.Error(err)
	}
	h.send(http.MethodPut, target, asJSON, string(body))
}

// define creates, fills or deletes a property of people.
func (h *history) define() {
	if h.random.IntN(4) == 0 {
		h.remove("property_definitions")
		return
	}
	name := fmt.Sprintf("copy_%d_%d", h.seed, h.random.IntN(3))
	h.create("property_definitions", `"resource":"people","name":"`+name+`","kind":"text"`, "")
	h.send(http.MethodPatch, "/v2/people/"+h.id("people"), asJSON, `{"data":{"attributes":{"properties":{"`+name+`":"`+h.name()+`"}}}}`)
}
