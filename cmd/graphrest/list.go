package main

import (
	"context"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

// listing is a command that lists what internal/auth stores, as a table or as JSON.
type listing[T, D any] struct {
	short    string
	read     func(context.Context, *auth.Service) ([]T, error)
	table    func([]T) error
	document func(T) D // one entry as JSON
}

func (l listing[T, D]) command(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: l.short,
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
			all, err := l.read(c.Context(), users)
			if err != nil {
				return err
			}
			if !asJSON {
				return l.table(all)
			}
			documents := make([]D, len(all))
			for i, one := range all {
				documents[i] = l.document(one)
			}
			return p.writeJSON(documents)
		})(c, args)
	}
	return c
}
