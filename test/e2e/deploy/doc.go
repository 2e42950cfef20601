// Package deploy checks the files in docs/deploy against the types of the programs that read them.
// It is a separate module, so that the server does not depend on those types.
package deploy
