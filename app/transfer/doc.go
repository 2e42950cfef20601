// Package transfer exports a school as JSON lines and its people as CSV, and imports both. An
// import reads a file, determines what its lines add and change, and saves the changes. Package
// format defines the lines. Start with Transfers.
package transfer
