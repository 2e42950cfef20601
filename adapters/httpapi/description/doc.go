// Package description serves the OpenAPI document and the page of the API reference, which clients
// can read without a key. Package openapi has the text of the document, and the folder reference the
// scripts and styles of the page.
package description
