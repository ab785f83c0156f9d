package main

import (
	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newUserList(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List all users",
		Args: arguments(cobra.NoArgs),
	}
	userSettings(c)
	output := outputFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		asJSON, err := output()
		if err != nil {
			return err
		}
		return p.withUsers(func(c *cobra.Command, users *auth.Service, _ []string) error {
			all, err := users.Users(c.Context())
			if err != nil {
				return err
			}
			if !asJSON {
				return p.writeUsers(all)
			}
			documents := make([]userDocument, len(all))
			for i, user := range all {
				documents[i] = documentOf(user)
			}
			return p.writeJSON(documents)
		})(c, args)
	}
	return c
}
