package quiz

// What a document has for a question and for a choice besides their texts.
const (
	questionSize = 72
	choiceSize   = 24
)

// Size returns about how many bytes a document has, at least, that shows the quiz
// with the questions that it asks: their texts, and what stands between them,
// which is more than the texts when these are short.
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
