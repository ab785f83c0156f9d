package configfiles

import (
	"context"
	"errors"
	"fmt"

	"graphrest/internal/fault"
	"graphrest/internal/transfer"
)

// Load reads the whole configuration of a gateway.
func Load(ctx context.Context, client *transfer.Client) (*Set, error) {
	return load(ctx, client, kinds)
}

func load(ctx context.Context, client *transfer.Client, of []*kind) (*Set, error) {
	s := &Set{objects: map[*kind][]object{}}
	for _, k := range of {
		found, err := k.list(ctx, client)
		if err != nil {
			return nil, fmt.Errorf("the list of each %s: %w", k.name, err)
		}
		s.objects[k] = found
	}
	return s, nil
}

func (k *kind) list(ctx context.Context, client *transfer.Client) ([]object, error) {
	texts, err := client.List(ctx, k.path, k.query)
	if err != nil {
		return nil, err
	}
	all := []object{}
	for _, text := range texts {
		listed, err := parseObject(text)
		if err != nil {
			return nil, err
		}
		if isManaged, _ := listed["managed"].(bool); k.managed && !isManaged {
			continue
		}
		if k.byID {
			if text, err = client.Read(ctx, k.address(listed)); err != nil {
				return nil, err
			}
			if listed, err = parseObject(text); err != nil {
				return nil, err
			}
		}
		o, err := k.fromGateway(listed)
		if err != nil {
			return nil, err
		}
		if find(k, all, o) != nil {
			return nil, fmt.Errorf("two are called %s: rename one", k.key(o))
		}
		all = append(all, o)
	}
	return all, nil
}

// fromGateway keeps what files have, and the id.
func (k *kind) fromGateway(listed object) (object, error) {
	o := object{}
	for _, name := range k.identity {
		o[name] = listed[name]
	}
	if k.byID {
		o["id"] = listed["id"]
	}
	for _, m := range k.members {
		if !m.inFiles {
			o[m.name] = listed[m.name]
		}
	}
	if err := k.normalize(o); err != nil {
		return nil, explain(err)
	}
	return o, nil
}

// explain names the members at fault in the text of an error, which a fault does for clients only.
func explain(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Details) == 0 {
		return err
	}
	text := ""
	for i, detail := range f.Details {
		if i > 0 {
			text += "; "
		}
		text += detail.Field + " " + detail.Message
	}
	return errors.New(text)
}
