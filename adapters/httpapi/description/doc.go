// Package description serves the OpenAPI document and the page of the API reference, which clients
// can read without a key.
package description
