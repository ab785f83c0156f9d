package neo4jschema

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

const (
	// maxDeclarationsAge is the maximum age of the declarations when a write is validated. A write waits for a refresh if they are older, and
	// fails if the refresh fails: no write is validated against old declarations. The poll of the versions says when they have changed
	// (Polled); where nobody polls, they are read before they are too old, which is checked every declarationsInterval.
	declarationsInterval = 100 * time.Millisecond
	maxDeclarationsAge   = time.Second
	// rereadPeriod is how long after a change all declarations are read again, whatever their version: while Neo4j applies a commit, a
	// reader may see one node of it and not yet another.
	rereadPeriod = time.Second
)

// declarations are the declared types as of one moment.
type declarations struct {
	*declared.Types
	all     []graph.DeclaredType
	version int64     // of the stored declarations
	since   time.Time // when this version was first read
}

// CurrentTypes are the declarations in memory: none before the first refresh.
func (s *TypeStore) CurrentTypes() *declared.Types {
	if types := s.inForce.Current(); types != nil {
		return types.Types
	}
	return nil
}

// TypesForWrite are the declarations that a write is validated against.
func (s *TypeStore) TypesForWrite(ctx context.Context) (*declared.Types, error) {
	if s.inForce.IsFresh(maxDeclarationsAge) {
		return s.CurrentTypes(), nil
	}
	ctx, cancel := s.client.WithQueryTimeout(ctx)
	defer cancel()
	types, err := s.inForce.Fresh(ctx, maxDeclarationsAge)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	return types.Types, nil
}

// runRefresh refreshes the declarations periodically. A failure shows in the requests themselves.
func (s *TypeStore) runRefresh(ctx context.Context) {
	ticker := time.NewTicker(declarationsInterval)
	defer ticker.Stop()
	for {
		_, _ = s.inForce.Fresh(ctx, maxDeclarationsAge-declarationsInterval)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Polled receives the versions of internal data that a read has found which began at a time: see auth.Config.Polled.
func (s *TypeStore) Polled(began time.Time, versions map[string]int64) {
	if now := s.inForce.Current(); now != nil && now.version == versions[declarationsState] && began.Sub(now.since) >= rereadPeriod {
		s.inForce.Put(now, began)
		return
	}
	s.inForce.Refresh(context.Background(), 0)
}

// declarationsState is the name of the state whose version each change of declarations increases.
const declarationsState = "types"

// readDeclarations reads the declarations if they have changed. Only one read runs at a time.
func (s *TypeStore) readDeclarations(ctx context.Context) (*declarations, error) {
	before := s.inForce.Current()
	known := int64(-1)
	if before != nil && time.Since(before.since) >= rereadPeriod {
		known = before.version
	}
	records, err := s.client.Read(ctx, cypher.DeclarationsRead.Text(nil), map[string]any{"known": known})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	if len(records) == 0 {
		return nil, fault.New(fault.Internal, "Internal error")
	}
	version := bolt.Column[int64](records[0], "version")
	if version == known {
		return before, nil
	}
	since := time.Now()
	if before != nil && before.version == version {
		since = before.since
	}
	var all []graph.DeclaredType
	for _, row := range bolt.Column[[]any](records[0], "types") {
		if members, is := row.(map[string]any); is {
			all = append(all, decodeDeclaration(members))
		}
	}
	slices.SortFunc(all, func(a, b graph.DeclaredType) int {
		return cmp.Or(-cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Type, b.Type)) // nodes first
	})
	read := s.compileDeclarations(before, all)
	read.version, read.since = version, since
	return read, nil
}

// DeclaredParameter is the declared node types as a parameter, by which a statement determines a node's type; null if there are none.
func DeclaredParameter(t *declared.Types) any {
	if names := t.Declared(graph.NodeKind); len(names) > 0 {
		return names
	}
	return nil
}

// compileDeclarations compiles declarations; unchanged ones are reused.
func (s *TypeStore) compileDeclarations(before *declarations, all []graph.DeclaredType) *declarations {
	rules := make([]*declared.Rules, len(all))
	for i, d := range all {
		if before != nil {
			if same := before.Rules(d.Kind, string(d.Type)); same != nil && reflect.DeepEqual(same.Declaration, d.Declaration) {
				rules[i] = same
				continue
			}
		}
		rules[i] = declared.LoadStored(d.Declaration)
	}
	return &declarations{Types: declared.NewTypes(rules, s.onlyDeclared), all: all}
}

// decodeDeclaration decodes a stored declaration.
func decodeDeclaration(row map[string]any) graph.DeclaredType {
	text := func(name string) string {
		s, _ := row[name].(string)
		return s
	}
	var d graph.DeclaredType
	d.Kind, d.Type = graph.Kind(text("kind")), graph.TypeName(text("type"))
	d.Level, d.Schema = graph.DeclarationLevel(text("level")), text("schema")
	_ = json.Unmarshal([]byte(text("unique")), &d.Unique) // written by encodeDeclaration
	d.SourceTypes, d.TargetTypes = typeNames(row["source_types"]), typeNames(row["target_types"])
	d.UpdatedAt = bolt.AsTime(row["updated_at"])
	return d
}

func typeNames(list any) []graph.TypeName {
	items, _ := list.([]any)
	var names []graph.TypeName
	for _, name := range bolt.AsTexts(items) {
		names = append(names, graph.TypeName(name))
	}
	return names
}

// encodeDeclaration is the stored form of a declaration.
func encodeDeclaration(d graph.DeclaredType) map[string]any {
	unique, _ := json.Marshal(d.Unique) // strings only: it cannot fail
	return map[string]any{
		"key": declarationKey(d.Kind, d.Type), "kind": string(d.Kind), "type": string(d.Type), "level": string(d.Level), "schema": d.Schema,
		"unique": string(unique), "source_types": typeStrings(d.SourceTypes), "target_types": typeStrings(d.TargetTypes),
		"updated_at": d.UpdatedAt.UnixMilli(),
	}
}

func typeStrings(types []graph.TypeName) []string {
	names := []string{}
	for _, t := range types {
		names = append(names, string(t))
	}
	return names
}

func declarationKey(k graph.Kind, t graph.TypeName) string { return string(k) + " " + string(t) }
