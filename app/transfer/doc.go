// Package transfer exports a school as lines and as CSV, and imports both: it
// reads a file, plans what the lines add and change, and saves it. Package
// format defines the lines. Start with Transfers.
package transfer
