// Command openapi writes the OpenAPI description of the service and the table of operations in docs/permissions.md. It generates them from
// the annotations of the handlers and the table of routes. `go generate ./docs/openapi` runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"graphrest/internal/openapi"
)

func main() {
	time.Local = time.UTC // what it reads links the driver
	root := flag.String("root", ".", "root `directory` of the repository")
	out := flag.String("out", "docs/openapi/openapi.json", "`file` to write")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

func run(root, out string) error {
	text, err := openapi.Generate(root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, text, 0o644); err != nil { //nolint:gosec // documentation, which every user may read
		return err
	}
	name := filepath.Join(root, "docs", "permissions.md")
	guide, err := os.ReadFile(name) //nolint:gosec // a file of the repository
	if err != nil {
		return err
	}
	if guide, err = openapi.WritePermissions(guide); err != nil {
		return err
	}
	return os.WriteFile(name, guide, 0o644) //nolint:gosec // documentation, which every user may read
}
