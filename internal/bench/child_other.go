//go:build !linux

package bench

import "syscall"

// dieWithParent has no counterpart here: a benchmark that is killed leaves its gateway running.
func dieWithParent() *syscall.SysProcAttr { return nil }
