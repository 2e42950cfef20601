// Package files implements ports.Files: submitted files are stored in a folder, or in the
// memory of the process.
package files
