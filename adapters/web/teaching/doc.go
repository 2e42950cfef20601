// Package teaching serves the teaching app: the pages on which the staff of a school manage people
// and courses. The pages share sessions, languages and style with the academy (package web), and
// also work without their scripts. What a person may do is decided by package app/teaching. Start
// at New; routes.go lists the pages.
package teaching
