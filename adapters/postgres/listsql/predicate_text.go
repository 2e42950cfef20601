package listsql

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// compareText returns the comparison with a text. Eq and NotEq compare the texts byte by byte; all
// other predicates compare their folds.
func (l predicate) compareText(op query.Op, v query.Value) string {
	if op == query.Eq || op == query.NotEq {
		text, _ := l.among(op, []query.Value{v})
		return text
	}
	if l.attr.Kind == query.Token {
		return l.r.fail("%s has no predicate %d", l.attr.Name, op)
	}
	l.r.customPlan = true
	fold := l.shownFold()
	if like, ok := likes[op]; ok {
		return fold + " " + like.symbol + " " + l.pattern(like.pattern(v.Fold))
	}
	symbol, ok := symbols[op]
	if !ok {
		return l.r.fail("%s has no predicate %d", l.attr.Name, op)
	}
	return fmt.Sprintf("%s %s %s::text", fold, symbol, l.r.bind(v.Fold))
}

// like is a comparison with a LIKE pattern, which adds before and after to a literal text.
type like struct{ symbol, before, after string }

// likes contains the predicates that compare with a pattern.
var likes = map[query.Op]like{
	query.Cont: {"LIKE", "%", "%"}, query.NotCont: {"NOT LIKE", "%", "%"}, query.Start: {"LIKE", "", "%"}, query.End: {"LIKE", "%", ""},
}

// compareOnce returns the comparison of the fold with any of values, or with all of them for a
// negation, and reports whether op compares folds. The text of the row is computed once, not for each
// value.
func (l predicate) compareOnce(op query.Op, values []query.Value) (string, bool) {
	like, isPattern := likes[op]
	symbol, isOrder := symbols[op]
	if !isPattern && !isOrder {
		return "", false
	}
	folds := make([]string, len(values))
	for i, v := range values {
		folds[i] = v.Fold
		if isPattern {
			folds[i] = like.pattern(v.Fold)
		}
	}
	l.r.customPlan = true
	if isPattern {
		symbol = like.symbol
	}
	quantifier := "ANY"
	if negative(op) {
		quantifier = "ALL"
	}
	return fmt.Sprintf("%s %s %s (%s::text[])", l.shownFold(), symbol, quantifier, l.r.bind(pq.Array(folds))), true
}

// amongTexts implements among for texts and tokens. It compares the stored text, to which the
// attribute adds a prefix and a suffix; a value without them matches nothing. It also compares the
// fold, because the index is on the fold.
func (l predicate) amongTexts(op query.Op, values []query.Value) string {
	if l.parts != nil && op == query.Eq {
		return l.amongParts(values)
	}
	texts, folds := []string{}, []string{}
	for _, v := range values {
		stored, ok := strings.CutPrefix(v.Text, l.attr.Prefix)
		if !ok {
			continue
		}
		if stored, ok = strings.CutSuffix(stored, l.attr.Suffix); ok {
			texts, folds = append(texts, stored), append(folds, text.Fold(stored))
		}
	}
	switch {
	case op == query.NotEq:
		l.r.customPlan = true
		return fmt.Sprintf("%s <> ALL (%s::text[])", l.Expr, l.r.bind(pq.Array(texts)))
	case len(texts) == 0:
		return "false"
	case l.ratio != nil || l.cases != nil:
		return l.amongComputed(texts)
	case len(texts) == 1 && l.attr.Kind == query.Token:
		return fmt.Sprintf("%s = %s::text", l.Expr, l.r.bind(texts[0]))
	case len(texts) == 1:
		return fmt.Sprintf("(%s = %s::text AND %s = %s::text)", l.Fold, l.r.bind(folds[0]), l.Expr, l.r.bind(texts[0]))
	case l.attr.Kind == query.Token:
		return fmt.Sprintf("%s = ANY (%s::text[])", l.Expr, l.r.bind(pq.Array(texts)))
	}
	return fmt.Sprintf("(%s = ANY (%s::text[]) AND %s = ANY (%s::text[]))",
		l.Fold, l.r.bind(pq.Array(folds)), l.Expr, l.r.bind(pq.Array(texts)))
}

// amongComputed returns the condition that a text of Column.ratio or Column.cases is one of texts.
// It compares the two numbers of the ratio, or uses the conditions of the cases.
func (l predicate) amongComputed(texts []string) string {
	if l.ratio != nil {
		return l.ratio.among(l.r, texts)
	}
	var conditions []string
	for _, text := range texts {
		if condition, ok := l.cases[text]; ok {
			conditions = append(conditions, condition)
		}
	}
	return join(conditions, " OR ", "false")
}

// amongParts returns the condition that a token equals one of values. It compares the UUIDs of the
// token (see Column.parts). A value matches only if its UUIDs are in canonical form.
func (l predicate) amongParts(values []query.Value) string {
	var texts []string
	for _, v := range values {
		words := strings.Split(v.Text, ":")
		if len(words) != len(l.parts) {
			continue
		}
		equal := make([]string, len(words))
		for i, w := range words {
			id, err := uuid.Parse(w)
			if err != nil || id.String() != w {
				equal = nil
				break
			}
			equal[i] = fmt.Sprintf("%s = %s::uuid", l.parts[i], l.r.bind(id))
		}
		if equal != nil {
			texts = append(texts, join(equal, " AND ", "true"))
		}
	}
	return join(texts, " OR ", "false")
}

// shownFold returns the SQL expression for the fold of the displayed text, with its prefix and
// suffix.
func (l predicate) shownFold() string {
	if l.attr.Prefix == "" && l.attr.Suffix == "" {
		return l.Fold
	}
	return fmt.Sprintf(`((%s::text || %s || %s::text) COLLATE "C")`,
		l.r.bind(text.Fold(l.attr.Prefix)), l.Fold, l.r.bind(text.Fold(l.attr.Suffix)))
}

var plain = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// pattern returns the pattern for the literal text fold.
func (k like) pattern(fold string) string { return k.before + plain.Replace(fold) + k.after }

// pattern returns the parameter for a LIKE pattern. It binds each pattern only once, because a search
// uses each word in many conditions.
func (l predicate) pattern(pattern string) string {
	parameter, ok := l.r.patterns[pattern]
	if !ok {
		parameter = l.r.bind(pattern) + "::text"
		if l.r.patterns == nil {
			l.r.patterns = map[string]string{}
		}
		l.r.patterns[pattern] = parameter
	}
	return parameter
}
