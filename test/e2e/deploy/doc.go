// Package deploy checks the files in docs/deploy against the types of the programs that read them.
// It is a module of its own, so that the server does not depend on these.
package deploy
