// Package upload reads a form with a file while it arrives, without holding the file in memory.
package upload
