// Package downloads serves submitted files to every client that has a signed link, and makes these
// links. Start at Server.Serve.
package downloads
