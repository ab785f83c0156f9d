package bolt

// The service's own records, such as saved views and webhooks, are changed by one statement each. It returns no row if there is no such
// record, and columns that say why it has changed nothing.

// Changes are the members of a record that a change gives, in their stored form, and their names.
type Changes struct {
	Set   map[string]any // not nil
	Names []string
}

// Give adds a member unless it is nil.
func Give[T any](c *Changes, name string, value *T) {
	GiveAs(c, name, value, func(v T) T { return v })
}

// GiveAs is Give for a member that is stored in another form.
func GiveAs[T, S any](c *Changes, name string, value *T, stored func(T) S) {
	if value == nil {
		return
	}
	c.Set[name], c.Names = stored(*value), append(c.Names, name)
}

// Refusal is the fault of a statement that has changed nothing, if a column has a value.
type Refusal struct {
	column string
	value  bool
	fault  error
}

// If refuses where a column is true.
func If(column string, fault error) Refusal { return Refusal{column, true, fault} }

// Unless refuses where a column is not true.
func Unless(column string, fault error) Refusal { return Refusal{column, false, fault} }

// OnlyRow returns the row of a statement on one record: none without a row, or the fault of the first refusal.
func OnlyRow(rows []*Record, err, none error, refusals ...Refusal) (*Record, error) {
	switch {
	case err != nil:
		return nil, Translate(err)
	case len(rows) == 0:
		return nil, none
	}
	for _, r := range refusals {
		if Column[bool](rows[0], r.column) == r.value {
			return nil, r.fault
		}
	}
	return rows[0], nil
}
