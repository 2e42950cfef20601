// Package transfer tests the ports that load and export schools, and that a store returns each
// record as it was saved, and as a copy.
package transfer
