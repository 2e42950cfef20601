package kit

import "encoding/json"

// Activity contains the IDs of an activity in a course structure. The IDs of its quiz, the questions
// of the quiz and its assignment are blank if it has none.
type Activity struct {
	ID, Title string
	Quiz      struct {
		ID        string
		Questions []struct{ ID string }
	}
	Assignment struct{ ID string }
}

// Activities returns the activities in the document of a course structure, in their order.
func Activities(document []byte) ([]Activity, error) {
	var d struct {
		Data struct {
			Attributes struct{ Activities []Activity }
		}
	}
	err := json.Unmarshal(document, &d)
	return d.Data.Attributes.Activities, err
}
