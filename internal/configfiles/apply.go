package configfiles

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"graphrest/internal/transfer"
	"graphrest/internal/typedjson"
)

// Apply makes changes in their order and calls made after each. It stops at the first that fails.
func Apply(ctx context.Context, client *transfer.Client, changes []Change, lookup func(string) string, made func(*Change)) error {
	for i := range changes {
		if err := changes[i].apply(ctx, client, lookup); err != nil {
			return fmt.Errorf("%s (%d of %d changes were made): %w", changes[i].Title(), i, len(changes), err)
		}
		made(&changes[i])
	}
	return nil
}

func (c *Change) apply(ctx context.Context, client *transfer.Client, lookup func(string) string) error {
	k := c.kind
	if c.Action == Delete || c.Action == Replace {
		if err := client.Send(ctx, http.MethodDelete, k.address(c.before), nil); err != nil || c.Action == Delete {
			return err
		}
	}
	method, path := http.MethodPost, k.path
	if c.Action == Update || k.put {
		method, path = http.MethodPut, k.address(c.target())
	}
	return client.Send(ctx, method, path, c.body(lookup))
}

// target is the object that a change changes or creates.
func (c *Change) target() object {
	if c.Action == Update {
		return c.before // it has an id
	}
	return c.after
}

// body is the JSON of the request that creates or updates an object: an update has what changes, unless it replaces the whole.
func (c *Change) body(lookup func(string) string) []byte {
	update := c.Action == Update
	members := map[string]any{}
	if !c.kind.put {
		for _, name := range c.kind.identity {
			members[name] = c.after[name]
		}
	}
	for _, m := range c.kind.members {
		value := c.after[m.name]
		switch {
		case update && !c.kind.whole && !slices.Contains(c.changed, m.name):
		case m.name == secretVariable:
			if variable, _ := value.(string); variable != "" {
				members["secret"] = lookup(variable)
			}
		case value != nil || update && m.cleared:
			members[m.name] = value
		}
	}
	return typedjson.AppendTree(nil, members)
}
