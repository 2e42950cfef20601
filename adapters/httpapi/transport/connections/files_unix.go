//go:build unix

package connections

import "syscall"

// openFiles returns the limit of open files of the process. Go raises it to the hard limit at
// start.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1024
	}
	return uint64(limit.Cur) //nolint:unconvert // int64 on some systems
}
