// Package request reads the documents of requests. It takes parsed JSON and returns
// the data of a resource, of a batch of them or of a relationship, with all faults that
// it found; Pointer turns the field of a fault into a JSON pointer. It knows neither
// HTTP nor use cases. Start at document.go.
package request
