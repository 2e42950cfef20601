package main

import "bytes"

// lineCounter counts the bytes and the lines that are written to it.
type lineCounter struct {
	bytes int64
	lines int
	last  []byte // the end of the bytes, at most lastBytes
}

const lastBytes = 100

// Write counts b. It returns no error.
func (c *lineCounter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	c.lines += bytes.Count(b, []byte("\n"))
	c.last = append(c.last, b[max(0, len(b)-lastBytes):]...)
	c.last = c.last[max(0, len(c.last)-lastBytes):]
	return len(b), nil
}
