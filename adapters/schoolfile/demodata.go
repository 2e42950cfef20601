package schoolfile

import (
	"time"

	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

var demoCategories = []string{
	"Cooking", "Crafts & Making", "Languages", "Music", "Photography",
}

type demoPersonRow struct {
	email, first, last string // the address without its domain
	roles              []person.Role
}

// demoPeople are invented. Their names come from many scripts on purpose, as
// those of a real school's people do.
var demoPeople = []demoPersonRow{
	{"eleanor.hartley", "Eleanor", "Hartley", []person.Role{person.Owner}},
	{"tomas.novak", "Tomáš", "Novák", []person.Role{person.Manager}},
	{"ines.carvalho", "Inês", "Carvalho", []person.Role{person.Instructor}},
	{"kenji.mori", "健二", "森", []person.Role{person.Instructor}},
	{"amara.okafor", "Amara", "Okafor", []person.Role{person.Instructor, person.Manager}},
	{"soren.lindqvist", "Søren", "Lindqvist", []person.Role{person.Instructor}},
	{"abigail.stone", "Abigail", "Stone", nil},
	{"anna.kowalska", "Anna", "Kowalska", nil},
	{"ayse.yilmaz", "Ayşe", "Yılmaz", nil},
	{"bjork.jonsdottir", "Björk", "Jónsdóttir", nil},
	{"carlos.ibanez", "Carlos", "Ibáñez", nil},
	{"chloe.lefevre", "Chloé", "Lefèvre", nil},
	{"daniel.osei", "Daniel", "Osei", nil},
	{"dmitri.volkov", "Дмитрий", "Волков", nil},
	{"eleni.papadaki", "Ελένη", "Παπαδάκη", nil},
	{"fatima.haddad", "فاطمة", "حداد", nil},
	{"gareth.pugh", "Gareth", "Pugh", nil},
	{"hannah.weiss", "Hannah", "Weiß", nil},
	{"jiwoo.park", "지우", "박", nil},
	{"liam.obrien", "Liam", "O’Brien", nil},
	{"mei.chen", "美", "陈", nil},
	{"noa.levi", "נועה", "לוי", nil},
	{"priya.raman", "Priya", "Raman", nil},
	{"siobhan.byrne", "Siobhán", "Byrne", nil},
	{"tui.parata", "Tūī", "Parata", nil},
	{"zuzana.horakova", "", "", nil},
}

type demoCourseRow struct {
	name, permalink         string
	categories, instructors []string
}

var demoCourses = []demoCourseRow{
	{"Seeing Light: Photography from the Start", "seeing-light", []string{"Photography"}, []string{"ines.carvalho"}},
	{"Portuguese for Travellers", "portuguese-for-travellers", []string{"Languages"}, []string{"ines.carvalho"}},
	{"Everyday Japanese Cooking", "everyday-japanese-cooking", []string{"Cooking"}, []string{"kenji.mori"}},
	{"Japanese Joinery by Hand", "japanese-joinery", []string{"Crafts & Making"}, []string{"kenji.mori", "soren.lindqvist"}},
	{"Songwriting Workshop", "songwriting-workshop", []string{"Music", "Crafts & Making"}, []string{"amara.okafor"}},
	{"Drums without Fear", "drums-without-fear", []string{"Music"}, []string{"amara.okafor"}},
	{"Bread, Butter, Ferment", "bread-butter-ferment", []string{"Cooking", "Crafts & Making"}, []string{"soren.lindqvist"}},
	{"Welcome to Riverside", "welcome", nil, nil},
}

type demoGroupRow struct {
	name, manager string
	every         int // one of so many people is a member
	courses       []string
}

var demoGroups = []demoGroupRow{
	{"Spring Term", "tomas.novak", 2, []string{"seeing-light", "welcome"}},
	{"Kitchen Crew", "kenji.mori", 5, []string{"everyday-japanese-cooking", "bread-butter-ferment"}},
	{"Choir & Band", "amara.okafor", 3, []string{"songwriting-workshop"}},
}

// demoValue is a value of 1 (see coupon.Value).
const demoValue coupon.Value = 10_000

// demoCoupons are one that can be used, one that has ended, one that is used up
// and one that is disabled.
var demoCoupons = []coupon.Terms{
	{
		Code: "WELCOME10", Currency: "EUR", Format: coupon.Fixed, Value: 10 * demoValue,
		StartOn: demoDay(time.January, 12), MaximumUsages: 500, UsagesCount: 37,
	},
	{
		Code: "Early Bird", Currency: "EUR", Format: coupon.Percentage, Value: 12*demoValue + demoValue/2,
		StartOn: demoDay(time.January, 12), EndOn: demoDay(time.January, 31), MaximumUsages: 100, UsagesCount: 64,
	},
	{
		Code: "FIRST-FIFTY", Currency: "USD", Format: coupon.Fixed, Value: 5 * demoValue,
		StartOn: demoDay(time.January, 15), MaximumUsages: 50, UsagesCount: 50,
	},
	{
		Code: "Friends & Family", Currency: "EUR", Format: coupon.Percentage, Value: 100 * demoValue,
		StartOn: demoDay(time.February, 1), EndOn: demoEnds,
		MaximumUsages: 20, UsagesCount: 3, Disabled: true,
	},
}

// demoRedemptions are the uses, among those that the coupons count, of people who
// are still there.
var demoRedemptions = map[string][]app.RedemptionPlan{
	"WELCOME10": {
		{Email: "abigail.stone@example.test", At: demoOpened.Add(55*24*time.Hour + 17*time.Minute)},
		{Email: "jiwoo.park@example.test", At: demoOpened.Add(61*24*time.Hour + 9*time.Hour)},
	},
	"Early Bird": {
		{Email: "carlos.ibanez@example.test", At: demoOpened.Add(13*24*time.Hour + 4*time.Hour)},
	},
}

// demoEnds is the last day of what the demo school has until further notice.
var demoEnds = time.Date(2036, time.December, 31, 0, 0, 0, 0, time.UTC)

// demoDay is a day of the year in which the demo school began.
func demoDay(month time.Month, day int) time.Time {
	return time.Date(demoOpened.Year(), month, day, 0, 0, 0, 0, time.UTC)
}
