package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/config"
)

func newUser(p *process) *cobra.Command {
	c := group("user", "Administer users directly in the database", newUserAdd(p), newUserList(p), newUserSet(p),
		newUserPasswd(p), newUserRm(p))
	c.Long = "Administers users directly in the database that NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE name.\n" +
		"Running gateways apply changes within a second."
	return c
}

// withUsers runs a command on the users in the database.
func (p *process) withUsers(work func(c *cobra.Command, users *auth.Service, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		loaded, err := p.settings(c, config.Administration)
		if err != nil {
			return err
		}
		users, err := app.OpenUsers(c.Context(), loaded, p.logger(loaded))
		if err != nil {
			return err
		}
		c.SetContext(audit.WithActor(c.Context(), audit.Actor{Address: audit.CommandLine}))
		return errors.Join(work(c, users.Service, args), users.Close())
	}
}

// userSettings adds the flags that say where the database is.
func userSettings(c *cobra.Command) { addSettings(c, "Database", "Log", "Audit") }

const permissionsHelp = "read, create, edit, delete, query, console with commas between; all (the first four); none"

// parsePermissions parses "read,create", "all" (those for the graph) or "none".
func parsePermissions(text string) ([]auth.Permission, error) {
	switch text {
	case "all":
		return auth.GraphPermissions(), nil
	case "none":
		return []auth.Permission{}, nil
	}
	chosen := []auth.Permission{}
	for part := range strings.SplitSeq(text, ",") {
		known := false
		for _, permission := range auth.AllPermissions() {
			if strings.TrimSpace(part) == string(permission) {
				chosen, known = append(chosen, permission), true
			}
		}
		if !known {
			return nil, newUsageError("--permissions: %q is none of %s, all, none", part, auth.PermissionNames())
		}
	}
	return chosen, nil
}

// parseRateLimit parses the requests per period, or "default".
func parseRateLimit(text string) (*int64, error) {
	if text == "default" {
		return nil, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, newUsageError("--rate-limit: %q is neither a whole number nor default", text)
	}
	return &n, nil
}

// userDocument is a user in JSON, with the member names of the API.
type userDocument struct {
	ID          string            `json:"id"`
	Username    string            `json:"username"`
	Permissions []auth.Permission `json:"permissions"`
	Admin       bool              `json:"admin"`
	Disabled    bool              `json:"disabled"`
	RateLimit   *int64            `json:"rate_limit"`
	CreatedAt   time.Time         `json:"created_at"`
	UpdatedAt   time.Time         `json:"updated_at"`
}

func documentOf(u auth.User) userDocument {
	return userDocument{
		ID: u.ID, Username: u.Username, Permissions: u.Permissions, Admin: u.Admin, Disabled: u.Disabled,
		RateLimit: u.RateLimit, CreatedAt: u.CreatedAt.UTC(), UpdatedAt: u.UpdatedAt.UTC(),
	}
}

// writeUsers writes a table, one user a line.
func (p *process) writeUsers(users []auth.User) error {
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "USERNAME\tPERMISSIONS\tADMIN\tDISABLED\tRATE LIMIT")
	for _, u := range users {
		permissions := make([]string, len(u.Permissions))
		for i, permission := range u.Permissions {
			permissions[i] = string(permission)
		}
		rate := "default"
		if u.RateLimit != nil {
			rate = strconv.FormatInt(*u.RateLimit, 10)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", u.Username, strings.Join(permissions, ","), yesNo(u.Admin), yesNo(u.Disabled), rate)
	}
	return table.Flush()
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// showUser writes one user in the form asked for.
func (p *process) showUser(u auth.User, asJSON bool) error {
	if asJSON {
		return p.writeJSON(documentOf(u))
	}
	return p.writeUsers([]auth.User{u})
}
