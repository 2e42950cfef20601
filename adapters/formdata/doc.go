// Package formdata reads multipart/form-data (RFC 7578) part by part. It refuses forms that are
// valid for mime/multipart but would take much memory or processor time.
package formdata
