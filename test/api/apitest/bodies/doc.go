// Package bodies builds the bodies of requests.
package bodies
