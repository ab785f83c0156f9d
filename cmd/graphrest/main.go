// Command graphrest is the gateway and its administration. Each subcommand has its own file and turns words into
// calls; what they call is elsewhere. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, and
// 3 a problem that doctor has found.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() {
	time.Local = time.UTC // see bolt.FromDriver
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, process{
		args: os.Args[1:], environ: os.Environ(),
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		askPassword: terminalPassword(os.Stdin, os.Stderr),
		// After release a second signal ends the process immediately.
		release:  stop,
		terminal: term.IsTerminal(int(os.Stderr.Fd())),
	})
	stop()
	os.Exit(code)
}
