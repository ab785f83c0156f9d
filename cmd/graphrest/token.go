package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newToken(p *process) *cobra.Command {
	c := group("token", "Administer service tokens directly in the database; create personal tokens",
		newTokenCreate(p), newTokenList(p), newTokenRevoke(p))
	c.Long = "Administers service tokens directly in the database that NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE name.\n" +
		"Running gateways apply changes within a second."
	return c
}

// serviceTokenDocument is a service token in JSON, with the member names of the API.
type serviceTokenDocument struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Permissions []auth.Permission `json:"permissions"`
	Roles       []string          `json:"roles"`
	RateLimit   *int64            `json:"rate_limit"`
	CreatedAt   time.Time         `json:"created_at"`
	CreatedBy   *string           `json:"created_by"`
	ExpiresAt   time.Time         `json:"expires_at"`
	LastUsedAt  *time.Time        `json:"last_used_at"`
}

func serviceTokenDocumentOf(t auth.ServiceToken) serviceTokenDocument {
	d := serviceTokenDocument{
		ID: t.ID, Name: t.Name, Permissions: t.Permissions, Roles: t.Roles, RateLimit: t.RateLimit, CreatedAt: t.CreatedAt.UTC(),
		ExpiresAt: t.ExpiresAt.UTC(),
	}
	if t.CreatedBy != "" {
		d.CreatedBy = &t.CreatedBy
	}
	if !t.LastUsedAt.IsZero() {
		d.LastUsedAt = &t.LastUsedAt
	}
	return d
}

// writeServiceTokens writes a table, one service token a line.
func (p *process) writeServiceTokens(tokens []auth.ServiceToken) error {
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tPERMISSIONS\tRATE LIMIT\tEXPIRES\tLAST USED")
	for _, t := range tokens {
		permissions := make([]string, len(t.Permissions))
		for i, permission := range t.Permissions {
			permissions[i] = string(permission)
		}
		rate, used := "default", "never"
		if t.RateLimit != nil {
			rate = strconv.FormatInt(*t.RateLimit, 10)
		}
		if !t.LastUsedAt.IsZero() {
			used = t.LastUsedAt.UTC().Format(time.RFC3339)
		}
		expires := t.ExpiresAt.UTC().Format(time.RFC3339)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Name, strings.Join(permissions, ","), rate, expires, used)
	}
	return table.Flush()
}
