// Package request reads the documents of requests. From parsed JSON it returns the data of a
// resource, of a batch of resources or of a relationship, with all their faults. Pointer maps the
// field of a fault to a JSON pointer. The package does not depend on HTTP or use cases. Start at
// Document.
package request
