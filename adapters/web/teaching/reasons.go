package teaching

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"lyceum/domain/fault"
)

// labels contains the labels of the form fields with the attributes that faults name.
var labels = []struct{ attribute, label string }{
	{"title", "Title"},
	{"name", "Name"},
	{"code", "Code"},
	{"value", "Value"},
	{"currency_code", "Currency"},
	{"maximum_usages", "Maximum number of uses"},
	{"start_on", "First day"},
	{"end_on", "Last day"},
	{"video_url", "Address of the video"},
	{"length", "Length"},
	{"email", "Email address"},
	{"first_name", "First name"},
	{"last_name", "Last name"},
	{"permalink", "Permalink"},
}

// fieldNames contains the names of the form fields that differ from the attribute that faults name.
var fieldNames = map[string]string{"currency_code": "currency"}

// rewordings contains the details of faults in the words of the forms. The groups of a pattern are
// the values of its text.
var rewordings = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`^must not be before start_on \((.+)\)$`), "must not be before the first day (%s)"},
	{regexp.MustCompile(`^can't be blank$`), "can't be blank"},
	{regexp.MustCompile(`^is too long \(maximum is (\d+) characters\)$`), "is too long (maximum is %s characters)"},
	{regexp.MustCompile(`^is not a valid email address$`), "is not a valid email address"},
	{regexp.MustCompile(`^is not a valid date, such as (.+)$`), "is not a valid date, such as %s"},
	{regexp.MustCompile(`^is not a valid number, such as 12\.5$`), "is not a valid number"},
	{regexp.MustCompile(`^is not a valid currency code, such as EUR$`), "is not a valid currency code, such as EUR"},
	{regexp.MustCompile(`^must be greater than 0$`), "must be greater than 0"},
	{regexp.MustCompile(`^must be a whole number$`), "must be a whole number"},
	{regexp.MustCompile(`^must be at most 100 for a percentage$`), "must be at most 100 for a percentage"},
	{regexp.MustCompile(`^must be between (\d+) and (\d+)$`), "must be between %s and %s"},
	{regexp.MustCompile(`^must be an absolute https URL$`), "must be an address that begins with https://"},
	{regexp.MustCompile(`^must be minutes and seconds, such as 3:25$`), "must be minutes and seconds, such as 3:25"},
	{regexp.MustCompile(`^must be a whole number of seconds between 1 and \d+$`), "must be longer than 0:00 and at most 24 hours"},
	{regexp.MustCompile(`^A record with the given (?:\w+) has already been taken$`), "is already used"},
	{regexp.MustCompile(`^The school has no person with this email address$`), "The school has no person with this email address"},
	{regexp.MustCompile(`^The course was changed in the meantime\. Please look at it again$`), "The course was changed in the meantime. Please look at it again"},
	{regexp.MustCompile(`^This form was already sent, so nothing was changed now\. A secret is shown only once\. If you have not copied it, replace it$`), "This form was already sent, so nothing was changed now. A secret is shown only once. If you have not copied it, replace it"},
	{regexp.MustCompile(`^This record was changed after you opened the form\. Nothing was saved$`), "This record was changed after you opened the form. Nothing was saved"},
	{regexp.MustCompile(`^must have between 1 and \d+ elements$`), "The quiz needs at least one question"},
	{regexp.MustCompile(`^must have between 2 and \d+ elements$`), "needs at least two choices"},
	{regexp.MustCompile(`^must include at least one correct choice$`), "has no choice that is marked as correct"},
	{regexp.MustCompile(`^is used more than once$`), "is used more than once"},
	{regexp.MustCompile(`^is already in line (\d+)$`), "is already in line %s"},
	{regexp.MustCompile(`^is not the name of a group$`), "is not the name of a group"},
}

// detail returns the detail of a fault in the words and the language of the pages, and whether both
// are those of the visitor.
func (x *siteRequest) detail(detail string) (string, bool) {
	for _, r := range rewordings {
		if found := r.pattern.FindStringSubmatch(detail); found != nil {
			var values []any
			for _, value := range found[1:] {
				values = append(values, value)
			}
			return fmt.Sprintf(x.t(r.text), values...), true
		}
	}
	translated := x.t(detail)
	return translated, translated != detail || x.Language() == "en"
}

// reason returns the detail of a fault after the label of its field.
func (x *siteRequest) reason(field, detail string) string {
	if i := strings.LastIndexAny(field, "./"); i >= 0 {
		field = field[i+1:]
	}
	detail, known := x.detail(detail)
	if field == "" || field == "data" || field[0] >= '0' && field[0] <= '9' || strings.ToUpper(detail[:1]) == detail[:1] {
		return detail
	}
	label := strings.ToUpper(field[:1]) + strings.ReplaceAll(field[1:], "_", " ")
	for _, l := range labels {
		if l.attribute == field && known {
			label = x.t(l.label)
		}
	}
	return label + " " + detail
}

// inActivity matches the path of a fault in the plan of a course.
var inActivity = regexp.MustCompile(`^activities\[\d+\]\.(?:quiz\.|assignment\.)?(.+)$`)

// inQuestion matches the path of a fault in a quiz.
var inQuestion = regexp.MustCompile(`^questions\[(\d+)\]\.(choices\[(\d+)\])?`)

// atFields returns err, about the plan of a course, with the faults of the activity at the fields of
// its form. A fault of a question names the number of the question.
func (x *siteRequest) atFields(err error) error {
	if !fault.IsRefusal(err) {
		return err
	}
	var all []error
	seen := map[string]bool{}
	for _, one := range fault.All(err) {
		f := *one
		if found := inActivity.FindStringSubmatch(f.Field); found != nil {
			f.Field = found[1]
		}
		if found := inQuestion.FindStringSubmatch(f.Field); found != nil {
			question, _ := strconv.Atoi(found[1])
			number := strconv.Itoa(question + 1)
			where := x.tf("Question %s", number)
			if found[2] != "" {
				choice, _ := strconv.Atoi(found[3])
				where = x.tf("Question %s, choice %s", number, strconv.Itoa(choice+1))
			}
			words, _ := x.detail(f.Detail)
			f.Field, f.Detail = questionForm{Index: question}.Control(), where+": "+words
		} else if f.Field == "name" { // a quiz has the title of its activity
			f.Field = "title"
		}
		if key := f.Field + "\n" + f.Detail; !seen[key] {
			seen[key] = true
			all = append(all, &f)
		}
	}
	return fault.Join(all...)
}
