package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"graphrest/internal/app"
	"graphrest/internal/config"
	"graphrest/internal/fault"
)

// process is everything that a command may access of its process. Only main fills it from the real one, so tests run
// commands in their own process.
type process struct {
	args           []string
	environ        []string
	stdin          io.Reader
	stdout, stderr io.Writer                           // data, and words about it
	askPassword    func(prompt string) (string, error) // errNoTerminal if there is no terminal
	release        func()                              // gives signals back to the system
	terminal       bool                                // stderr is a terminal, which a progress bar can be drawn on
}

// Exit codes.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2
	exitProblems = 3 // doctor has found a problem, or diff a difference
)

// usageError is an error that the user can fix only by changing the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newUsageError(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run runs one command line and returns its exit code.
func run(ctx context.Context, p process) int {
	root := newRoot(&p)
	root.SetArgs(p.args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(p.stderr, "graphrest:", describe(err))
	var wrong usageError
	var problems config.Problems
	if errors.As(err, &wrong) || errors.As(err, &problems) {
		return exitUsage
	}
	if errors.Is(err, errProblemsFound) || errors.Is(err, errDifferences) {
		return exitProblems
	}
	return exitFailed
}

// describe formats an error for an operator: the message of a fault, each invalid field, and the cause, which may be
// shown here.
func describe(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err.Error()
	}
	var b strings.Builder
	b.WriteString(f.Message)
	for _, detail := range f.Details {
		fmt.Fprintf(&b, "\n  %s: %s", detail.Field, detail.Message)
	}
	cause := errors.Unwrap(f)
	for inner := (*fault.Error)(nil); errors.As(cause, &inner); {
		cause = errors.Unwrap(inner) // nested faults repeat the message
	}
	if cause != nil && f.Code != fault.Validation {
		fmt.Fprintf(&b, " (%s)", cause)
	}
	return b.String()
}

func newRoot(p *process) *cobra.Command {
	root := &cobra.Command{
		Use:           "graphrest",
		Short:         "A REST gateway in front of Neo4j, with logins, permissions and rate limits",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          arguments(cobra.NoArgs),
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return newUsageError("%w; see %s --help", err, c.CommandPath())
	})
	root.AddCommand(newServe(p), newDev(p), newUser(p), newToken(p), newQuery(p),
		newApply(p), newDiff(p), newExportConfig(p), newImport(p), newExport(p), newMCP(p), newClient(p),
		newDoctor(p), newAdopt(p), newConfig(p), newHealthcheck(p), newVersion(p))
	return root
}

// arguments turns a wrong number of arguments into a usageError.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return newUsageError("%w; see %s --help", err, c.CommandPath())
		}
		return nil
	}
}

// group is a command that only contains others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short,
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return newUsageError("%s needs one of its commands; see %s --help", c.CommandPath(), c.CommandPath())
		},
	}
	c.AddCommand(commands...)
	return c
}

// addSettings adds the flags of the settings in some groups, or of all settings if none is named.
func addSettings(c *cobra.Command, groups ...string) {
	wanted := func(s config.Setting) bool {
		for _, name := range groups {
			if name == s.Group {
				return true
			}
		}
		return len(groups) == 0
	}
	for _, s := range config.Settings() {
		if !wanted(s) {
			continue
		}
		if s.Flag != "" {
			addSetting(c, s.Flag, flagHelp(s))
		} else {
			addSetting(c, s.FileFlag(), "file that holds "+s.Name)
		}
	}
	addSetting(c, config.FileFlag, fmt.Sprintf("configuration file (%s)", config.FileSetting))
}

// settingMark distinguishes the flags of settings from those of a command: `user set --rate-limit` is a user's, not the
// gateway's.
const settingMark = "graphrest-setting"

func addSetting(c *cobra.Command, flag, usage string) {
	c.Flags().String(flag, "", usage)
	c.Flags().Lookup(flag).Annotations = map[string][]string{settingMark: nil}
}

// flagHelp returns the help of a setting's flag. Backticks are removed because pflag would treat them as the name of the
// value.
func flagHelp(s config.Setting) string {
	source := s.Name
	if s.Default != "" {
		source += ", default " + s.Default
	}
	return fmt.Sprintf("%s (%s)", strings.ReplaceAll(s.Help, "`", ""), source)
}

// settings reads the configuration for a command, its flags included.
func (p *process) settings(c *cobra.Command, purpose config.Purpose) (*config.Config, error) {
	flags := map[string]string{}
	c.Flags().Visit(func(f *pflag.Flag) {
		if _, isSetting := f.Annotations[settingMark]; isSetting {
			flags[f.Name] = f.Value.String()
		}
	})
	return config.Load(config.Sources{Flags: flags, Environ: p.environ, Purpose: purpose})
}

// assemble assembles the gateway of a configuration. An error is one that the user can fix by changing the configuration.
func (p *process) assemble(c *config.Config) (*app.App, error) {
	gateway, err := app.New(c, p.logger(c), programVersion())
	if err != nil {
		return nil, usageError{err}
	}
	return gateway, nil
}

// logger writes the log the configuration asks for, to stderr.
func (p *process) logger(c *config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.Log.Level}
	if c.Log.Format == "text" {
		return slog.New(slog.NewTextHandler(p.stderr, options))
	}
	return slog.New(slog.NewJSONHandler(p.stderr, options))
}

// writeJSON writes one JSON document to stdout.
func (p *process) writeJSON(document any) error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document)
}

// outputFlag adds -o table|json and returns a reader of it.
func outputFlag(c *cobra.Command) func() (asJSON bool, err error) {
	format := c.Flags().StringP("output", "o", "table", "table or json")
	return func() (bool, error) {
		switch *format {
		case "table":
			return false, nil
		case "json":
			return true, nil
		}
		return false, newUsageError("--output is table or json, not %q", *format)
	}
}

var errNoTerminal = errors.New("there is no terminal to ask for the password; give it on standard input with --password-stdin")

// terminalPassword reads a password from a terminal without echo.
func terminalPassword(in *os.File, out io.Writer) func(string) (string, error) {
	return func(prompt string) (string, error) {
		descriptor := int(in.Fd())
		if !term.IsTerminal(descriptor) {
			return "", usageError{errNoTerminal}
		}
		fmt.Fprint(out, prompt)
		typed, err := term.ReadPassword(descriptor)
		fmt.Fprintln(out)
		return string(typed), err
	}
}

// readPassword reads the password from standard input (its first line) or prompts for it twice. It is never an argument:
// every user of the machine can read those.
func (p *process) readPassword(fromStdin bool) (string, error) {
	if fromStdin {
		line, err := bufio.NewReader(io.LimitReader(p.stdin, 4096)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	first, err := p.askPassword("Password: ")
	if err != nil {
		return "", err
	}
	second, err := p.askPassword("Once more: ")
	if err != nil {
		return "", err
	}
	if first != second {
		return "", errors.New("the two passwords differ")
	}
	return first, nil
}

// releaseSignalsAfter returns the context, and restores the default signal handling once it ends, so that a second
// signal ends the process immediately.
func (p *process) releaseSignalsAfter(ctx context.Context) context.Context {
	if p.release != nil {
		context.AfterFunc(ctx, p.release)
	}
	return ctx
}
