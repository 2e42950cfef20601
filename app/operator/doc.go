// Package operator contains the use cases of the operator of a server, who manages schools and
// their keys and reconciles derived data. Only the command line calls them.
package operator
