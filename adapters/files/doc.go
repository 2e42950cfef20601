// Package files implements ports.Files. It stores submitted files in a folder or in the memory of
// the process.
package files
