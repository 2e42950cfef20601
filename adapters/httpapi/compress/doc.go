// Package compress compresses responses with gzip. Response compresses a whole response in memory
// before its first byte is sent. While a client reads slowly, only the compressed bytes stay in
// memory, and not a compressor, which needs several times as much memory. Stream compresses a
// response of any length while it is sent. Start at Response.
package compress
