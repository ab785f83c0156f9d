//go:build unix && !linux

package neo4jdev

import "syscall"

// processAttributes puts the server into a separate process group. Only Linux can tie it to its parent.
func processAttributes(syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
