package query

import (
	"context"
	"slices"
	"time"

	"graphrest/internal/answer"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/pattern"
	"graphrest/internal/queryguard"
)

// Observer is informed of runs, for metrics. name is that of a saved query, or Console.
type Observer interface {
	QueryRan(name string, took time.Duration, a *answer.Answer, err error)
}

// Console is the name of queries that are not saved, in metrics and the audit; no saved query can have it.
const Console = "(console)"

// Service is the one door to queries, for every interface.
type Service struct {
	store    Store
	engine   Engine
	matcher  pattern.Matcher
	observer Observer
	cache    *cache
}

// NewService creates the service. The observer may be nil.
func NewService(store Store, engine Engine, matcher pattern.Matcher, observer Observer) *Service {
	return &Service{store: store, engine: engine, matcher: matcher, observer: observer, cache: newCache(time.Now)}
}

// All returns every saved query, for administrators. DATABASE_UNAVAILABLE.
func (s *Service) All(ctx context.Context) (*Set, error) { return s.store.All(ctx) }

// Runnable returns the saved queries that a caller may run, by name. DATABASE_UNAVAILABLE.
func (s *Service) Runnable(ctx context.Context, c Caller) ([]*Query, error) {
	set, err := s.store.All(ctx)
	if err != nil {
		return nil, err
	}
	list := []*Query{}
	for _, name := range set.Names {
		if c.MayRun(name) {
			list = append(list, set.ByName[name])
		}
	}
	return list, nil
}

// Query returns a saved query that a caller may run. NOT_FOUND, DATABASE_UNAVAILABLE.
func (s *Service) Query(ctx context.Context, c Caller, name string) (*Query, error) {
	set, err := s.store.All(ctx)
	if err != nil {
		return nil, err
	}
	q, err := set.Query(name)
	if err != nil || !c.MayRun(name) {
		return nil, NoSuchQuery()
	}
	return q, nil
}

// Save judges a definition and stores a version of it. Create refuses a name that is taken. VALIDATION_ERROR, QUERY_REJECTED, and the codes
// of Store.Save.
func (s *Service) Save(
	ctx context.Context, d Definition, author Caller, create bool, when graph.Precondition,
) (*Query, queryguard.Checked, error) {
	q, err := Compile(d)
	if err != nil {
		return nil, queryguard.Checked{}, err
	}
	if err := s.checkChoices(ctx, d); err != nil {
		return nil, queryguard.Checked{}, err
	}
	q.Author = author.Username
	if d.Pattern != "" {
		if err := q.checkPatternTypes(); err != nil { // not in Compile: what is stored stays readable
			return nil, queryguard.Checked{}, err
		}
		stored, err := s.store.Save(ctx, q, create, when)
		return stored, queryguard.Checked{}, err
	}
	checked, err := s.engine.Judge(ctx, Question{
		Name: d.Name, Text: d.Cypher, Parameters: q.samples(), Allow: d.Allow, UserID: author.LimitedAs,
	})
	if err == nil {
		err = q.checkParameters(checked.Parameters)
	}
	if err != nil {
		return nil, checked, err
	}
	q.Language, q.Columns, q.Operators = checked.Language, checked.Columns, checked.Operators
	stored, err := s.store.Save(ctx, q, create, when)
	return stored, checked, err
}

// checkChoices refuses choices that no saved query gives.
func (s *Service) checkChoices(ctx context.Context, d Definition) error {
	var faults []*fault.Error
	for i := range d.Parameters {
		p := &d.Parameters[i]
		if p.Choices == "" {
			continue
		}
		set, err := s.store.All(ctx)
		if err != nil {
			return err
		}
		if set.ByName[p.Choices] == nil {
			faults = append(faults, fault.Invalid(graph.FieldPath(parametersField, p.Name)+".choices", "is the name of no saved query"))
		}
	}
	return fault.Merge(faults...)
}

// checkParameters refuses a text that uses a parameter which is not declared: no run could give it.
func (q *Query) checkParameters(used []string) error {
	for _, name := range used {
		if !slices.ContainsFunc(q.Parameters, func(p Parameter) bool { return p.Name == name }) {
			return fault.Invalid(queryguard.Field, "uses $%s, which is not in parameters; declare it there", name)
		}
	}
	return nil
}

// samples are the defaults of the parameters, with which a query is planned at saving; others have no value then.
func (q *Query) samples() map[string]graph.Value {
	values := map[string]graph.Value{}
	for i := range q.Parameters {
		if p := &q.Parameters[i]; p.Optional && p.Default != nil {
			values[p.Name] = p.Default
		}
	}
	return values
}

// Delete removes a saved query with its versions: see Store.
func (s *Service) Delete(ctx context.Context, name string, when graph.Precondition) error {
	return s.store.Delete(ctx, name, when)
}

// Versions returns the versions of a saved query: see Store.
func (s *Service) Versions(ctx context.Context, name string) ([]*Query, error) {
	return s.store.Versions(ctx, name)
}

// Run runs a saved query for a caller. NOT_FOUND if there is none that the caller may run, VALIDATION_ERROR for its parameters, and the
// codes of Engine.Run.
func (s *Service) Run(ctx context.Context, c Caller, name string, given Given) (*answer.Answer, error) {
	began := time.Now()
	q, err := s.Query(ctx, c, name)
	if err != nil {
		return nil, err
	}
	values, err := q.bind(c, given)
	if err != nil {
		return nil, err
	}
	a, err := s.answer(ctx, c, q, values, given)
	if s.observer != nil {
		s.observer.QueryRan(q.Name, time.Since(began), a, err)
	}
	if err != nil {
		return nil, err
	}
	shown := *a
	shown.Meta.Version, shown.Meta.Elapsed = q.Version, time.Since(began)
	return &shown, nil
}

// answer runs a query with the values of its parameters.
func (s *Service) answer(
	ctx context.Context, c Caller, q *Query, values map[string]graph.Value, given Given,
) (*answer.Answer, error) {
	if q.Pattern != "" {
		return s.match(ctx, c, q, values, given)
	}
	return s.cached(c, q, values, func() (*answer.Answer, error) {
		return s.engine.Run(ctx, Question{
			Name: q.Name, Text: q.Cypher, Language: q.Language, Parameters: values, Allow: q.Allow, UserID: c.LimitedAs, Began: c.begin,
			Timeout: q.Timeout, Limits: answer.Limits{Rows: q.MaxRows, Bytes: q.MaxBytes},
		})
	})
}

// RunText runs a query that is not saved, within the default limits. VALIDATION_ERROR, QUERY_REJECTED, and the codes of Engine.Run.
func (s *Service) RunText(ctx context.Context, c Caller, text string, parameters map[string]graph.Value) (*answer.Answer, error) {
	began := time.Now()
	a, err := s.engine.Run(ctx, Question{
		Text: text, Parameters: parameters, UserID: c.LimitedAs, Began: c.begin,
		Limits: answer.Limits{Rows: DefaultRows, Bytes: DefaultBytes},
	})
	if s.observer != nil {
		s.observer.QueryRan(Console, time.Since(began), a, err)
	}
	if err != nil {
		return nil, err
	}
	a.Meta.Elapsed = time.Since(began)
	return a, nil
}

// Explain judges a query that is not saved, without running it. VALIDATION_ERROR, DATABASE_UNAVAILABLE.
func (s *Service) Explain(ctx context.Context, c Caller, text string, parameters map[string]graph.Value) (queryguard.Verdict, error) {
	return s.engine.Explain(ctx, Question{Text: text, Parameters: parameters, UserID: c.LimitedAs})
}

// ParameterNames are the names of the parameters of a call, for the audit, which never has values.
func (g Given) ParameterNames() []string {
	names := []string{}
	for name := range g.Values {
		names = append(names, name)
	}
	for name := range g.Texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
