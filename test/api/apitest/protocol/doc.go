// Package protocol tests the rules of HTTP and JSON:API that hold for all operations:
// authentication and scopes, methods, headers, documents, the isolation of schools and hostile
// requests.
package protocol
