// Command oidcprovider runs an identity provider for the tests of the web interface, at a free port of the loopback interface. It prints
// its issuer, and ends when its standard input does, so that it cannot outlive the tests:
//
//	go run ./cmd/oidcprovider -redirect http://127.0.0.1:8080/api/auth/oidc/callback -group test-user2=editors
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"graphrest/internal/oidctest"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oidcprovider:", err)
		os.Exit(1)
	}
}

func run(arguments []string, in io.Reader, out io.Writer) error {
	groups := map[string][]string{}
	flags := flag.NewFlagSet("oidcprovider", flag.ContinueOnError)
	redirectURL := flags.String("redirect", "", "`address` to which the only client's browsers return")
	flags.Func("group", "a user in a group, as `USER=GROUP`; may be repeated", func(text string) error {
		user, group, isPair := strings.Cut(text, "=")
		if !isPair {
			return errors.New("want USER=GROUP")
		}
		groups[user] = append(groups[user], group)
		return nil
	})
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	key, err := oidctest.GenerateES256Key()
	if err != nil {
		return err
	}
	provider := oidctest.StartLibraryProvider(*redirectURL, key)
	defer provider.Close()
	for user, names := range groups {
		provider.SetGroups(user, names...)
	}
	if _, err := fmt.Fprintln(out, provider.Issuer); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}
