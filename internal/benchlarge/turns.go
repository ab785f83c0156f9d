package benchlarge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"graphrest/internal/bench"
)

// answers contains the measurements of one side, the gateway or the analyst, for a question.
type answers struct {
	times   []float64 // milliseconds, in the order of the requests
	spent   time.Duration
	failure string
	rows    int
}

func (a *answers) first() bench.Number {
	if len(a.times) == 0 {
		return notMeasured
	}
	return bench.Number(a.times[0])
}

// median returns the median of the second half of the answers: during the first half the Java virtual machine compiles the code that the
// question uses.
func (a *answers) median() bench.Number { return bench.Number(bench.Median(a.times[len(a.times)/2:])) }

// done reports whether the side has answered often enough, or failed.
func (a *answers) done(limit Limits) bool {
	return a.failure != "" || len(a.times) >= limit.Rounds || (a.spent >= limit.Time && len(a.times) > 0)
}

// time runs ask once and records its duration.
func (a *answers) time(ctx context.Context, limit Limits, ask func(context.Context) (rows int, err error)) {
	ctx, cancel := context.WithTimeout(ctx, limit.Timeout)
	defer cancel()
	began := time.Now()
	rows, err := ask(ctx)
	took := time.Since(began)
	a.spent += took
	if ctx.Err() != nil {
		err = errors.New("no answer")
	}
	if err != nil {
		a.failure = fmt.Sprintf("%v, after %.1f s", err, took.Seconds())
		return
	}
	a.rows = rows
	a.times = append(a.times, float64(took.Microseconds())/1000)
}

// takeTurns asks the gateway and the other side the same question in turns and reverses the order in every round. The other side is an
// analyst who asks in Cypher, or, if a user with roles asks the gateway, the user who may read everything.
func (r *run) takeTurns(ctx context.Context, q question, path string, params map[string]any) (ofGateway, other answers) {
	body := r.bodyOf(q)
	askOther := r.otherSide(q, path, body, params)
	asGateway := func() {
		ofGateway.time(ctx, r.Limits, func(ctx context.Context) (int, error) { return r.askGateway(ctx, q.As, path, body) })
	}
	asOther := func() { other.time(ctx, r.Limits, askOther) }
	for round := 0; ctx.Err() == nil; round++ {
		turns := []func(){}
		if !ofGateway.done(r.Limits) {
			turns = append(turns, asGateway)
		}
		if askOther != nil && !other.done(r.Limits) {
			turns = append(turns, asOther)
		}
		if len(turns) == 0 {
			break
		}
		for i := range turns {
			turns[(i+round)%len(turns)]()
		}
	}
	return ofGateway, other
}

// otherSide returns how the other side asks a question; nil if there is no other side.
func (r *run) otherSide(q question, path, body string, params map[string]any) func(context.Context) (rows int, err error) {
	switch {
	case q.As != "":
		return func(ctx context.Context) (int, error) { return r.askGateway(ctx, "", path, body) }
	case q.Cypher != "":
		return func(ctx context.Context) (int, error) {
			result, err := r.db.Ask(ctx, q.Cypher, params)
			if err != nil {
				return 0, err
			}
			return len(result.Records), nil
		}
	default:
		return nil
	}
}

// askGateway requests a path as a user (see readAs) and returns the number of entities in the answer, if it is a list.
func (r *run) askGateway(ctx context.Context, user, path, body string) (int, error) {
	status, answer, err := r.gateway.readAs(ctx, user, path, body)
	if err != nil {
		return 0, err
	}
	if status != http.StatusOK {
		return 0, statusError(status, answer)
	}
	var p page
	if err := json.Unmarshal(answer, &p); err != nil {
		return 0, err
	}
	return p.length(), nil
}

// statusError is an answer of the gateway with a status other than 200.
func statusError(status int, answer []byte) error {
	var body struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(answer, &body) != nil || body.Error.Code == "" {
		return fmt.Errorf("status %d", status)
	}
	return fmt.Errorf("%d %s", status, body.Error.Code)
}

// fill replaces the placeholders in a path with facts.
func (f facts) fill(path string) string {
	for name, value := range f {
		path = strings.ReplaceAll(path, "{"+name+"}", url.QueryEscape(value))
	}
	return path
}

// withCursor returns the facts and the cursor that a question needs. If the list has no such page, ok is false.
func (r *run) withCursor(ctx context.Context, q question) (f facts, ok bool, err error) {
	f = maps.Clone(r.facts)
	at := q.Cursor
	if at == nil {
		return f, true, nil
	}
	entities := at.Entities
	if at.Of != "" {
		total, err := countEntities(ctx, r.db, at.Of)
		if err != nil {
			return nil, false, err
		}
		entities = int(float64(total)*at.Share) / pageSize * pageSize
		if entities <= pageSize {
			return nil, false, nil // this position is in the first or the second page
		}
	}
	list := f.fill(at.List)
	walk, cancel := context.WithTimeout(ctx, r.Limits.Walk)
	defer cancel()
	f["cursor"], err = r.cursorAfter(walk, list, entities)
	if walk.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the way to the page took more than %v", r.Limits.Walk)
	}
	return f, f["cursor"] != "", err
}

// cursorAfter pages through a list and returns the cursor after a number of entities. The cursor is empty if the list ends before.
func (r *run) cursorAfter(ctx context.Context, list string, entities int) (string, error) {
	const largestPage = 1000
	cursor := ""
	for entities > 0 {
		limit := min(entities, largestPage)
		path := list + fmt.Sprintf("&limit=%d", limit)
		if strings.Contains(list, "limit=") {
			path = strings.Replace(list, "limit=100", fmt.Sprintf("limit=%d", limit), 1)
		}
		if cursor != "" {
			path += "&cursor=" + url.QueryEscape(cursor)
		}
		status, answer, err := r.gateway.read(ctx, path)
		if err != nil {
			return "", fmt.Errorf("walk to the page: %w", err)
		}
		if status != http.StatusOK {
			return "", fmt.Errorf("walk to the page: %w", statusError(status, answer))
		}
		var p page
		if err := json.Unmarshal(answer, &p); err != nil {
			return "", err
		}
		if cursor = p.Meta.Page.NextCursor; cursor == "" {
			return "", nil
		}
		entities -= limit
	}
	return cursor, nil
}
