// Package transfer exports a school as JSON lines and its people as CSV, and imports both. An
// import reads a file, plans what its lines add and change, and saves that. Package format defines
// the lines. Start with Transfers.
package transfer
