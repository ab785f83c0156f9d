package neo4jdev

import "syscall"

// processAttributes puts the server into a separate process group, so that Ctrl-C in the terminal does not
// stop it before the gateway has drained, and has the kernel signal it when the thread that started it ends
// (prctl(2), PR_SET_PDEATHSIG), so that it does not outlive a killed parent.
func processAttributes(whenOrphaned syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: whenOrphaned}
}
