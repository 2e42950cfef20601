//go:build unix && !linux

package faults

import "syscall"

// tied returns how to start a program. Here it outlives this process if that is
// killed.
func tied() *syscall.SysProcAttr { return nil }
