package neo4jschema

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strconv"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/snapshot"
)

// StyleStore stores the styles of types. It is a graph.TypeStyleStore and safe for concurrent use.
type StyleStore struct {
	client *bolt.Client
	audit  *neo4jaudit.Store
	all    *snapshot.Snapshot[[]graph.TypeStyle]
}

var _ graph.TypeStyleStore = (*StyleStore)(nil)

func (s *StyleStore) read(ctx context.Context) (*[]graph.TypeStyle, error) {
	records, err := s.client.ReadLatest(ctx, cypher.TypeStylesRead.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	styles := make([]graph.TypeStyle, 0, len(records))
	for _, row := range records {
		styles = append(styles, decodeTypeStyle(bolt.Column[map[string]any](row, "style")))
	}
	slices.SortFunc(styles, func(a, b graph.TypeStyle) int {
		return cmp.Or(-cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Type, b.Type)) // nodes first
	})
	return &styles, nil
}

// TypeStyles lists the styles: see graph.TypeStyleStore.
func (s *StyleStore) TypeStyles(ctx context.Context) ([]graph.TypeStyle, error) {
	styles, err := s.all.Fresh(ctx, ReadAge)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	return *styles, nil
}

// TypeStyle reads a style: see graph.TypeStyleStore.
func (s *StyleStore) TypeStyle(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.TypeStyle, error) {
	styles, err := s.TypeStyles(ctx)
	if err != nil {
		return graph.TypeStyle{}, err
	}
	i := slices.IndexFunc(styles, func(style graph.TypeStyle) bool { return style.Kind == k && style.Type == t })
	if i < 0 {
		return graph.TypeStyle{}, errNoStyle()
	}
	return styles[i], nil
}

func errNoStyle() error { return fault.New(fault.NotFound, "This type has no style") }

// styledType is a type that may have a style.
type styledType struct {
	kind graph.Kind
	name string
}

// stylesByType are styles by kind and name of their type.
func stylesByType(styles []graph.TypeStyle) map[styledType]*graph.StyleOfType {
	of := make(map[styledType]*graph.StyleOfType, len(styles))
	for i := range styles {
		of[styledType{styles[i].Kind, string(styles[i].Type)}] = &styles[i].StyleOfType
	}
	return of
}

// SetTypeStyle changes a style: see graph.TypeStyleStore.
func (s *StyleStore) SetTypeStyle(ctx context.Context, k graph.Kind, t graph.TypeName, c graph.TypeStyleChange) (graph.TypeStyle, error) {
	if err := fault.Merge(graph.CheckTypeStyle(k, c)...); err != nil {
		return graph.TypeStyle{}, err
	}
	changes := encodeTypeStyle(c)
	fields := make([]string, len(changes.Names))
	for i, name := range changes.Names {
		fields[i] = "style." + name
	}
	params := s.audit.AdminParameters(ctx, audit.Update, audit.Type, typePath(k, t), string(t), fields...)
	params["key"], params["kind"], params["type"] = declarationKey(k, t), string(k), string(t)
	params["set"], params["adds"] = changes.Set, c.Apply(graph.StyleOfType{}) != graph.StyleOfType{}
	params["max"], params["write"] = graph.MaxTypeStyles, rand.Text()
	rows, err := s.client.RepeatWrite(ctx, cypher.TypeStyleWrite.Text(nil), params)
	row, err := bolt.OnlyRow(rows, err, fault.New(fault.Internal, "Internal error"), bolt.If("full",
		fault.New(fault.Conflict, strconv.Itoa(graph.MaxTypeStyles)+" types have a style, which is the maximum; remove one first")))
	if err != nil {
		return graph.TypeStyle{}, err
	}
	if _, err := s.all.Fresh(ctx, 0); err != nil {
		return graph.TypeStyle{}, bolt.Translate(err)
	}
	style := decodeTypeStyle(bolt.Column[map[string]any](row, "style"))
	style.Kind, style.Type = k, t // also of one that was removed
	return style, nil
}

// RemoveTypeStyle removes a style: see graph.TypeStyleStore.
func (s *StyleStore) RemoveTypeStyle(ctx context.Context, k graph.Kind, t graph.TypeName) error {
	params := s.audit.AdminParameters(ctx, audit.Update, audit.Type, typePath(k, t), string(t), "style")
	params["key"], params["write"] = declarationKey(k, t), rand.Text()
	rows, err := s.client.RepeatWrite(ctx, cypher.TypeStyleRemove.Text(nil), params)
	if _, err = bolt.OnlyRow(rows, err, errNoStyle()); err != nil {
		return err
	}
	_, err = s.all.Fresh(ctx, 0)
	return bolt.Translate(err)
}

// encodeTypeStyle is the stored form of a change: null removes a property.
func encodeTypeStyle(c graph.TypeStyleChange) bolt.Changes {
	changes := bolt.Changes{Set: map[string]any{}}
	bolt.GiveAs(&changes, "color", c.Color, nullIfZero)
	bolt.GiveAs(&changes, "size", c.Size, nullIfZero)
	bolt.GiveAs(&changes, "width", c.Width, nullIfZero)
	bolt.GiveAs(&changes, "caption", c.Caption, nullIfZero)
	bolt.GiveAs(&changes, "icon", c.Icon, nullIfZero)
	return changes
}

func nullIfZero[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

func decodeTypeStyle(stored map[string]any) graph.TypeStyle {
	s := graph.TypeStyle{Kind: graph.Kind(bolt.AsText(stored["kind"])), Type: graph.TypeName(bolt.AsText(stored["type"]))}
	s.Color, s.Caption, s.Icon = bolt.AsText(stored["color"]), bolt.AsText(stored["caption"]), bolt.AsText(stored["icon"])
	s.Size, _ = stored["size"].(int64)
	s.Width, _ = stored["width"].(int64)
	if millis, known := stored["updated_at"].(int64); known {
		s.UpdatedAt = time.UnixMilli(millis).UTC()
	}
	return s
}
