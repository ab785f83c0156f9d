package maintenance

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/queryguard"
)

// Diagnose checks the database: see graph.Doctor.
func (s *Store) Diagnose(ctx context.Context) (graph.Diagnosis, error) {
	d, indexes, err := s.checkServer(ctx)
	if err != nil {
		return d, err
	}
	s.diagnoseFetching(ctx, &d)
	if err := s.diagnoseTypes(ctx, indexes, &d); err != nil {
		return d, err
	}
	d.Unlabelled, err = s.client.ReadCount(ctx, cypher.DoctorUnlabelled.Text(nil), nil)
	if d.Unlabelled > 0 {
		addFinding(&d, graph.Note, "nodes without a type",
			"%d nodes have no label; they are served by element id, and only a label lets them have an id for life", d.Unlabelled)
	}
	sortFindings(&d)
	return d, bolt.Translate(err)
}

// CheckServer checks the server: see graph.Doctor.
func (s *Store) CheckServer(ctx context.Context) (graph.Diagnosis, error) {
	d, _, err := s.checkServer(ctx)
	sortFindings(&d)
	return d, err
}

// checkServer is CheckServer with the findings in the order of the checks, and the indexes.
func (s *Store) checkServer(ctx context.Context) (graph.Diagnosis, []graph.Index, error) {
	d, err := s.CheckVersion(ctx)
	if err != nil {
		return d, nil, err
	}
	indexes, err := neo4jschema.ReadIndexes(ctx, s.client)
	if err != nil {
		return d, nil, bolt.Translate(err)
	}
	diagnoseIndexes(indexes, &d)
	for _, check := range []func(context.Context, *graph.Diagnosis) error{s.diagnoseSecurity, s.diagnoseNames, s.diagnoseNameUse} {
		if err := check(ctx, &d); err != nil {
			return d, nil, err
		}
	}
	return d, indexes, nil
}

// sortFindings puts the most severe first.
func sortFindings(d *graph.Diagnosis) {
	slices.SortStableFunc(d.Findings, func(a, b graph.Finding) int { return a.Level.Rank() - b.Level.Rank() })
}

// CheckVersion checks the versions: see graph.Doctor.
func (s *Store) CheckVersion(ctx context.Context) (graph.Diagnosis, error) {
	d := graph.Diagnosis{CheckedAt: time.Now().UTC(), IDProperty: s.idProperty, Types: []graph.TypeDiagnosis{}, Findings: []graph.Finding{}}
	if err := s.diagnoseServer(ctx, &d); err != nil {
		return d, err
	}
	records, err := s.client.ReadRows(ctx, cypher.ReadDataLayout.Text(nil), nil)
	if err != nil || len(records) == 0 {
		return d, bolt.Translate(err)
	}
	d.Prepared, d.DataLayout = true, bolt.Column[int64](records[0], "layout")
	if message, remedy, newer := graph.NewerLayout(d.DataLayout, cypher.DataLayout); newer {
		addFinding(&d, graph.Problem, "data layout", "%s", message).Remedy = remedy
	}
	return d, nil
}

func addFinding(d *graph.Diagnosis, level graph.Level, subject, format string, args ...any) *graph.Finding {
	d.Findings = append(d.Findings, graph.Finding{Level: level, Subject: subject, Message: fmt.Sprintf(format, args...)})
	return &d.Findings[len(d.Findings)-1]
}

// clockTolerance is the maximum accepted difference between the clocks. Tokens, ids and idempotency keys contain times.
const clockTolerance = 5 * time.Second

func (s *Store) diagnoseServer(ctx context.Context, d *graph.Diagnosis) error {
	began := time.Now()
	records, err := s.client.ReadRows(ctx, cypher.DoctorServer.Text(nil), nil)
	if err != nil {
		return bolt.Translate(err)
	}
	middle := began.Add(time.Since(began) / 2)
	for _, r := range records {
		if bolt.Column[string](r, "name") != "Neo4j Kernel" {
			continue
		}
		if versions := bolt.TextColumn(r, "versions"); len(versions) > 0 {
			d.Server.Version = versions[0]
		}
		d.Server.Edition = bolt.Column[string](r, "edition")
		skew := time.UnixMilli(bolt.Column[int64](r, "clock")).Sub(middle)
		d.Server.ClockSkew = float64(skew.Milliseconds()) / 1000
		if skew.Abs() > clockTolerance {
			addFinding(d, graph.Warning, "clock", "the database's clock is %s apart from this machine's", skew.Abs().Round(time.Second)).
				Remedy = "synchronise both clocks (NTP)"
		}
	}
	if !supportedVersion(d.Server.Version) {
		addFinding(d, graph.Problem, "version", "Neo4j %s is not supported", d.Server.Version).Remedy = "use 5.26 or newer"
	} else if queryguard.IsNewerThanTested(d.Server.Version) {
		addFinding(d, graph.Warning, "version", "Neo4j %s is newer than tested, which is up to %s", d.Server.Version, queryguard.TestedRelease).
			Remedy = "queries whose plans have an operator that this version does not know are refused until the gateway is updated"
	}
	return nil
}

// supportedVersion accepts 5.26 and later releases, including the calendar releases.
func supportedVersion(version string) bool {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err1 := strconv.Atoi(first)
	minor, err2 := strconv.Atoi(second)
	return err1 == nil && err2 == nil && (major > 5 || (major == 5 && minor >= 26))
}

// diagnoseIndexes checks for the two token look-up indexes that a new database has, and for indexes that are not online.
func diagnoseIndexes(indexes []graph.Index, d *graph.Diagnosis) {
	lookups := map[string]bool{}
	for _, i := range indexes {
		if i.Kind == "LOOKUP" {
			lookups[i.Entity] = true
		}
		if i.State != "ONLINE" && i.State != "" {
			addFinding(d, graph.Warning, "index "+i.Name, "is %s and helps no query", strings.ToLower(i.State)).
				Remedy = "wait until it is built; an index that failed has to be dropped and created again"
		}
	}
	for _, wanted := range [][2]string{
		{"node", "CREATE LOOKUP INDEX FOR (n) ON EACH labels(n)"}, {"edge", "CREATE LOOKUP INDEX FOR ()-[r]-() ON EACH type(r)"},
	} {
		if !lookups[wanted[0]] {
			addFinding(d, graph.Problem, "look-up index", "the look-up index on %s types is missing; every list would read the whole database",
				wanted[0]).
				Remedy = wanted[1]
		}
	}
}

// diagnoseNames looks for labels and relationship types with the reserved prefix that are not the gateway's own: the gateway hides entities
// with such a name. The gateway's own show that one has used the database before (Prepared).
func (s *Store) diagnoseNames(ctx context.Context, d *graph.Diagnosis) error {
	labels, err := neo4jschema.LabelsInUse(ctx, s.client)
	if err != nil {
		return bolt.Translate(err)
	}
	types, err := neo4jschema.RelationshipTypesInUse(ctx, s.client)
	if err != nil {
		return bolt.Translate(err)
	}
	own := cypher.OwnNames()
	d.Prepared = slices.Contains(labels.Internal, "_GraphrestState")
	for _, name := range append(labels.Internal, types.Internal...) {
		if !slices.Contains(own, name) {
			addFinding(d, graph.Problem, "type "+name, "begins with the reserved prefix %s: whatever has it is never shown", graph.ReservedPrefix).
				Remedy = "rename it in Cypher"
		}
	}
	return nil
}

// namesWarning is the share of a limit from which doctor warns.
const namesWarning = 0.8

// diagnoseNameUse warns before the limits of names are reached.
func (s *Store) diagnoseNameUse(ctx context.Context, d *graph.Diagnosis) error {
	names, err := s.names.ReadUse(ctx)
	if err != nil {
		return err
	}
	for _, use := range names {
		if float64(use.Used) < namesWarning*float64(use.Limit) {
			continue
		}
		level := graph.Warning
		if use.Used >= use.Limit {
			level = graph.Problem
		}
		addFinding(d, level, "names", "the database has %d names of kind %s, and the gateway adds none beyond %d; Neo4j never frees a name",
			use.Used, use.Kind, use.Limit).
			Remedy = "find in the audit who adds them; raise the limit in GRAPHREST_MAX_NODE_TYPES, GRAPHREST_MAX_EDGE_TYPES or " +
			"GRAPHREST_MAX_PROPERTY_KEYS"
	}
	return nil
}

func (s *Store) diagnoseTypes(ctx context.Context, indexes []graph.Index, d *graph.Diagnosis) error {
	adoptions, err := s.Adoptable(ctx, nil)
	if err != nil {
		return bolt.Translate(err)
	}
	for _, a := range adoptions {
		t := typeKey{a.Kind, a.Type}
		c, err := s.idCounts(ctx, t)
		if err != nil {
			return err
		}
		one := graph.TypeDiagnosis{
			Kind: a.Kind, Type: a.Type, Count: c.total, Managed: a.Managed, WithID: c.texts, WithoutID: c.total - c.held, Unusable: c.held - c.texts,
		}
		if c.held > 0 && !a.Managed {
			text := adoptStatementsOf[t.kind].duplicates.Text(cypher.Slots{"type": cypher.Quote(t.name), "id": s.idName})
			if one.Duplicates, err = s.client.ReadCount(ctx, text, nil); err != nil {
				return bolt.Translate(err)
			}
		}
		d.Types = append(d.Types, one)
		s.reportType(one, indexes, d)
	}
	return nil
}

// reportType reports findings on a type.
func (s *Store) reportType(t graph.TypeDiagnosis, indexes []graph.Index, d *graph.Diagnosis) {
	subject := string(t.Kind) + " type " + t.Type
	blocked := slices.ContainsFunc(indexes, func(i graph.Index) bool {
		return neo4jschema.IndexesOnly(i, string(t.Kind), t.Type, s.idProperty)
	})
	_, unnameable := graph.ParseTypeName("type", t.Type)
	switch {
	case t.Duplicates > 0:
		addFinding(d, graph.Problem, subject,
			"%d of the values in %s belong to more than one entity each: no entity of the type can be created, and the type cannot be adopted",
			t.Duplicates, s.idProperty).Remedy = "make the values unique, or choose another GRAPHREST_ID_PROPERTY"
	case blocked && !t.Managed:
		addFinding(d, graph.Problem, subject,
			"an index on %s prevents the id constraint: no entity of the type can be created, and the type cannot be adopted",
			s.idProperty).Remedy = "drop that index; the constraint brings its own"
	case t.WithID > 0 && !t.Managed:
		addFinding(d, graph.Warning, subject,
			"%d entities have a string in %s: once the type is managed, these are their ids and no longer a property",
			t.WithID, s.idProperty).Remedy = "choose another GRAPHREST_ID_PROPERTY if they are not meant as ids"
	}
	if t.Unusable > 0 {
		addFinding(d, graph.Note, subject, "%d entities have a value in %s that cannot be an id; they keep their element ids",
			t.Unusable, s.idProperty)
	}
	if unnameable != nil {
		addFinding(d, graph.Warning, subject, "its name cannot be used in a request: it is over %d bytes long or has control characters",
			graph.MaxTypeName)
	}
	if t.WithoutID > 0 {
		addFinding(d, graph.Note, subject, "%d of %d entities have no id; they are served by element id", t.WithoutID, t.Count).
			Remedy = "graphrest adopt gives them ids for life"
	}
}
