package neo4jdev

import "syscall"

// processAttributes keeps Ctrl-C in the console away from the server.
func processAttributes(syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
