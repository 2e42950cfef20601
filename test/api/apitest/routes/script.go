package routes

import (
	"regexp"

	"lyceum/adapters/httpapi/reference"
)

// Script is a file of the reference page. Its name contains a hash of its content.
var Script = func() string {
	r, err := reference.New("")
	if err != nil {
		panic(err) // the embedded files are invalid
	}
	return regexp.MustCompile(`page-[0-9a-f]+\.js`).FindString(string(r.Page))
}()
