// Package compress compresses responses with gzip. Response compresses a whole response in memory
// before its first byte is sent. A client that reads slowly therefore occupies the compressed
// bytes, but not a compressor, which needs several times as much memory. Stream compresses a
// response of any length while it is sent. Start at Response.
package compress
