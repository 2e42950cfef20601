//go:build unix && !linux

package faults

import "syscall"

// endWithParent returns nil. On this system, a program continues if this process is killed.
func endWithParent() *syscall.SysProcAttr { return nil }
