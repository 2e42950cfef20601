package quiz_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"golang.org/x/text/unicode/norm"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"pgregory.net/rapid"
)

func TestGrade(t *testing.T) {
	several := quiz.Question{Choices: []quiz.Choice{
		{Text: "Red", Correct: true}, {Text: "Green"}, {Text: "Café", Correct: true}, {Text: "Cafe"},
	}}
	for _, tc := range []struct {
		name     string
		chosen   []string
		response string
		correct  bool
		detail   string
	}{
		{"all correct choices", []string{"Red", "Café"}, "Red, Café", true, ""},
		{"in another order", []string{"Café", "Red"}, "Red, Café", true, ""},
		{"in other letters", []string{" cafe\u0301 ", "RED"}, "Red, Café", true, ""},
		{"twice the same", []string{"Red", "Café", "red"}, "Red, Café", true, ""},
		{"not all", []string{"Red"}, "Red", false, ""},
		{"one too many", []string{"Red", "Café", "Green"}, "Red, Green, Café", false, ""},
		{"another mark", []string{"Red", "Cafe"}, "Red, Cafe", false, ""},
		{"only a wrong choice", []string{"Green"}, "Green", false, ""},
		{"nothing", nil, "", false, "can't be blank"},
		{"an unknown text", []string{"Blue"}, "", false, "contains a text that is not a choice of the question"},
		{"an unknown text with known ones", []string{"Red", "Café", "Blue"}, "", false, "contains a text that is not a choice of the question"},
		{"a blank", []string{" "}, "", false, "contains a text that is not a choice of the question"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			response, correct, err := several.Grade(tc.chosen)
			is.Equal(response, tc.response)
			is.Equal(correct, tc.correct)
			if tc.detail == "" {
				is.NoErr(err)
				return
			}
			f := fault.All(err)
			is.Equal(len(f), 1)
			is.Equal(f[0].Kind, fault.Invalid)
			is.Equal(f[0].Field, "response")
			is.Equal(f[0].Detail, tc.detail)
		})
	}
}

// An answer is correct if and only if it is the set of correct choices, in any order; the response
// contains the chosen choices in the question's order.
func TestGradeOfAnySet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 2, 8, rapid.ID[string]).Draw(t, "texts")
		right := rapid.SliceOfN(rapid.Bool(), len(texts), len(texts)).Draw(t, "right")
		taken := rapid.SliceOfN(rapid.Bool(), len(texts), len(texts)).Draw(t, "taken")
		var q quiz.Question
		var chosen []string
		for i, s := range texts {
			q.Choices = append(q.Choices, quiz.Choice{Text: s, Correct: right[i]})
			if taken[i] {
				chosen = append(chosen, s)
			}
		}
		if len(chosen) == 0 {
			return
		}
		want := strings.Join(chosen, ", ")
		seed := rapid.Uint64().Draw(t, "seed")
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		response, correct, err := q.Grade(append(chosen, strings.ToUpper(chosen[0])))
		if err != nil || response != want || correct != slices.Equal(right, taken) {
			t.Fatalf("%q, %v, %v", response, correct, err)
		}
	})
}

// To compare texts by their unique keys takes long for some letters, so texts that are spelled like a
// choice are compared directly: a request can contain 500 answers to questions with 50 choices each.
func TestGradeOfExactTextsIsFast(t *testing.T) {
	is := is.New(t)
	var q quiz.Question
	for i := range 50 {
		q.Choices = append(q.Choices, quiz.Choice{Text: strings.Repeat("\ufdfa", i+1), Correct: i == 40})
	}
	exact, other := []string{q.Choices[40].Text}, []string{norm.NFKD.String(q.Choices[40].Text)}
	for _, chosen := range [][]string{exact, other} {
		response, correct, err := q.Grade(chosen)
		is.NoErr(err)
		is.Equal(response, exact[0])
		is.True(correct)
	}
	grade := func(chosen []string) float64 {
		return testing.AllocsPerRun(10, func() { _, _, _ = q.Grade(chosen) })
	}
	is.True(grade(exact) < 10)
	is.True(grade(other) > 50) // each key is a new text
}

func TestPositionOf(t *testing.T) {
	is, asked := is.New(t), []quiz.Question{question(7), question(3)}
	is.Equal(quiz.PositionOf(asked, question(7).ID), quiz.Position{Number: 1, Total: 2})
	is.Equal(quiz.PositionOf(asked, question(3).ID), quiz.Position{Number: 2, Total: 2})
	is.Equal(quiz.PositionOf(asked, question(1).ID), quiz.Position{Number: 0, Total: 2}) // an archived question
}

func TestPosition(t *testing.T) {
	is.New(t).Equal(quiz.Position{Number: 2, Total: 15}.String(), "2/15")
}
