package configfiles

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"graphrest/internal/transfer"
	"graphrest/internal/typedjson"
)

// Action is what a change does to an object.
type Action byte

// The actions, as they are printed. An object that cannot be changed is replaced: deleted and created.
const (
	Create  Action = '+'
	Update  Action = '~'
	Replace Action = '!'
	Delete  Action = '-'
)

// Change makes one object of a gateway equal to that of a file.
type Change struct {
	Action        Action
	kind          *kind
	before, after object
	changed       []string // members
}

// Title is one line, such as "~ role hr: grants".
func (c *Change) Title() string {
	o := c.after
	if c.Action == Delete {
		o = c.before
	}
	title := fmt.Sprintf("%c %s %s", c.Action, c.kind.name, c.kind.key(o))
	if c.before != nil && c.after != nil {
		title += ": " + strings.Join(c.changed, ", ")
	}
	return title
}

// Lines are the values that change, those before with "- " and those after with "+ ".
func (c *Change) Lines() []string {
	if c.before == nil || c.after == nil {
		return nil
	}
	var lines []string
	for _, name := range c.changed {
		before, after := valueLines(name, c.before[name]), valueLines(name, c.after[name])
		for _, line := range before {
			if !slices.Contains(after, line) {
				lines = append(lines, "- "+line)
			}
		}
		for _, line := range after {
			if !slices.Contains(before, line) {
				lines = append(lines, "+ "+line)
			}
		}
	}
	return lines
}

// valueLines are the lines of a value: a text with several lines is compared by line.
func valueLines(name string, value any) []string {
	if text, isText := value.(string); isText && strings.Contains(text, "\n") {
		return strings.Split(text, "\n")
	}
	return []string{name + ": " + string(typedjson.AppendTree(nil, value))}
}

// Plan lists the changes that make a gateway equal to files, in the order in which they can be made. Objects that have no file are deleted
// only if remove is set, and only those of kinds that have a folder. lookup reads a variable of the environment.
func Plan(ctx context.Context, client *transfer.Client, wanted *Set, remove bool, lookup func(string) string) ([]Change, error) {
	var of []*kind
	for _, k := range kinds {
		if _, given := wanted.objects[k]; given {
			of = append(of, k)
		}
	}
	found, err := load(ctx, client, of)
	if err != nil {
		return nil, err
	}
	var changes, deletions []Change
	var problems []error
	for _, k := range of {
		for _, o := range wanted.objects[k] {
			c := k.compare(find(k, found.objects[k], o), o)
			if c == nil {
				continue
			}
			problems = append(problems, c.check(lookup))
			changes = append(changes, *c)
		}
		for _, o := range found.objects[k] {
			if remove && !k.kept && find(k, wanted.objects[k], o) == nil {
				deletions = append(deletions, Change{Action: Delete, kind: k, before: o})
			}
		}
	}
	slices.Reverse(deletions)
	return append(changes, deletions...), errors.Join(problems...)
}

// find returns the object of the same key; nil if there is none.
func find(k *kind, all []object, o object) object {
	i := slices.IndexFunc(all, func(other object) bool { return k.key(other) == k.key(o) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// compare returns the change from one object to another; nil if they are equal.
func (k *kind) compare(before, after object) *Change {
	if before == nil {
		return &Change{Action: Create, kind: k, after: after}
	}
	var changed []string
	for _, m := range k.members {
		value, given := after[m.name]
		if given && !m.inFiles && !reflect.DeepEqual(value, before[m.name]) {
			changed = append(changed, m.name)
		}
	}
	if changed == nil {
		return nil
	}
	c := &Change{Action: Update, kind: k, before: before, after: after, changed: changed}
	if k.fixed {
		c.Action = Replace
	}
	return c
}

// check reports a change that cannot be made.
func (c *Change) check(lookup func(string) string) error {
	if c.Action != Create {
		return nil
	}
	if c.kind.kept {
		return fmt.Errorf("%s %s: does not exist; no file has a password, so create it with graphrest user add first",
			c.kind.name, c.kind.key(c.after))
	}
	if c.kind.member(secretVariable) == nil {
		return nil
	}
	variable, _ := c.after[secretVariable].(string)
	if variable == "" || lookup(variable) == "" {
		return fmt.Errorf("%s %s: is new; %s must name an environment variable that has its secret, whsec_ and base64 of 24 to 64 bytes",
			c.kind.name, c.kind.key(c.after), secretVariable)
	}
	return nil
}
