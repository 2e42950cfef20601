// Package compress compresses responses with gzip. A response is compressed as a whole, in memory,
// before its first byte is sent: a client that reads slowly then holds the compressed bytes and not
// a compressor, which is several times as large. Start at Response.
package compress
