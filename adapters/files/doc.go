// Package files keeps the files that people hand in: in a folder, or in memory
// for as long as the process runs. It is ports.Files.
package files
