//go:build unix && !linux

package faults

import "syscall"

// endWithParent returns nil: on this system a program continues if this process is killed.
func tied() *syscall.SysProcAttr { return nil }
