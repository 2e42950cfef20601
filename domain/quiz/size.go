package quiz

// Bytes that a document needs for a question and for a choice, in addition to their texts.
const (
	questionSize = 72
	choiceSize   = 24
)

// Size returns the approximate minimum size, in bytes, of a document that shows the quiz with its
// active questions. It includes the markup, which can be larger than the texts.
func (s State) Size() int {
	size := len(s.Name)
	for _, q := range s.Questions {
		size += questionSize + len(q.Key) + len(q.Text)
		for _, c := range q.Choices {
			size += choiceSize + len(c.Text)
		}
	}
	return size
}
