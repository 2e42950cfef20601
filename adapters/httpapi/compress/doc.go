// Package compress compresses responses with gzip. A response is compressed as a whole, in memory,
// before its first byte is sent. A client that reads slowly therefore occupies the compressed
// bytes, but not a compressor, which needs several times as much memory. Start at Response.
package compress
