//go:build linux || darwin

package connections

import "syscall"

// openFiles returns the limit of open files of the process. Go raises it to the hard limit at
// start.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1024
	}
	return limit.Cur
}
