package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"graphrest/internal/httpapi"
)

const (
	tableBegin = "<!-- Generated from the table of routes; do not edit. -->\n"
	tableEnd   = "<!-- /Generated -->\n"
)

// WritePermissions replaces the table of operations in the guide to permissions by one that is generated from the table of routes.
func WritePermissions(guide []byte) ([]byte, error) {
	before, rest, begins := bytes.Cut(guide, []byte(tableBegin))
	_, after, ends := bytes.Cut(rest, []byte(tableEnd))
	if !begins || !ends {
		return nil, errors.New("the guide has no place for the table of operations")
	}
	return bytes.Join([][]byte{before, []byte(tableBegin + permissionTable() + tableEnd), after}, nil), nil
}

// permissionTable lists the operations on the graph, with their permission and how they obey rules.
func permissionTable() string {
	var table strings.Builder
	table.WriteString("\n| operation | permission | rules |\n|---|---|---|\n")
	for _, r := range httpapi.Routes() {
		if r.Rules.String() == "none" || r.Method == http.MethodHead || r.Method == http.MethodPatch {
			continue
		}
		fmt.Fprintf(&table, "| `%s %s` | %s | %s |\n", r.Method, r.Template(), r.Access, r.Rules)
	}
	return table.String() + "\n"
}
