// Package crowd invents a large school: a catalogue of courses, groups and
// coupons, people, and what they learn. It is made record by record by the rules
// of the domain and handed over in batches: the catalogue is held, the people and
// what they do are not.
//
// Every record follows from the seed and its number alone, so that a Size makes
// the same rows each time, and those of two seeds have nothing in common.
package crowd
