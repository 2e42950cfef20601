// Package compress compresses responses with gzip. A response is compressed as a whole, in memory,
// before its first byte is sent: so a client that reads slowly holds the compressed bytes, but not
// a compressor, which needs several times the memory. Start at Response.
package compress
