package quiz

// Bytes that a document needs for a question and for a choice, in addition to their texts.
const (
	questionSize = 72
	choiceSize   = 24
)

// Size returns the approximate minimum size, in bytes, of a document that shows the quiz with its
// active questions. It includes the markup, which can be larger than the texts.
func (s State) Size() int { return len(s.Name) + sizeOf(s.Questions) }

// sizeOf returns the part of questions in State.Size.
func sizeOf(questions []Question) (size int) {
	for _, q := range questions {
		size += questionSize + len(q.Key) + len(q.Text)
		for _, c := range q.Choices {
			size += choiceSize + len(c.Text)
		}
	}
	return size
}
