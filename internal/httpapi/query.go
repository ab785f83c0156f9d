package httpapi

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// parameter is one query parameter, decoded.
type parameter struct{ name, value string }

// parameters are a request's query parameters in the order given, each name once, save conditions of a filter.
type parameters []parameter

// get is the value of a parameter and whether it was given.
func (p parameters) get(name string) (string, bool) {
	for _, each := range p {
		if each.name == name {
			return each.value, true
		}
	}
	return "", false
}

// parseQuery reads a raw query strictly. Known lists the names allowed. Faults name the parameter, or "query" where there
// is none to name: malformed percent-encoding, invalid UTF-8 or a semicolon.
func parseQuery(raw string, known []string) (parameters, []*fault.Error) {
	var found parameters
	var faults []*fault.Error
	malformed := false
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(rawValue)
		if err1 != nil || err2 != nil || strings.Contains(pair, ";") || !utf8.ValidString(name) || !utf8.ValidString(value) {
			if !malformed {
				faults = append(faults, fault.Invalid("query", "must be percent-encoded UTF-8 with \"&\" between parameters"))
			}
			malformed = true
			continue
		}
		if graph.IsFilter(name) && slices.Contains(known, filterParameter) {
			found = append(found, parameter{name, value})
			continue
		}
		if name == filterParameter && slices.Contains(known, name) {
			faults = append(faults, fault.Invalid(name, "must be written filter[property][operator]"))
			continue
		}
		if !slices.Contains(known, name) {
			faults = append(faults, fault.Invalid(truncateName(name), "is no query parameter of this path; %s", describeKnown(known)))
			continue
		}
		if _, twice := found.get(name); twice {
			faults = append(faults, fault.Invalid(name, "must be given once"))
			continue
		}
		found = append(found, parameter{name, value})
	}
	return found, faults
}

// truncateName keeps what a client made up from filling the answer.
func truncateName(name string) string {
	const most = 64
	if len(name) <= most {
		return name
	}
	cut := most
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "..."
}

func describeKnown(known []string) string {
	if len(known) == 0 {
		return "it takes none"
	}
	return "it takes " + strings.Join(known, ", ")
}

// readQuery parses the query of a row; its faults join the other mistakes of the input.
func (c *call) readQuery() {
	if c.route.anyQuery {
		return
	}
	found, faults := parseQuery(c.gin.Request.URL.RawQuery, c.route.query)
	c.query = found
	c.problems = append(c.problems, faults...)
}

// integer reads a parameter made of decimal digits only, from least to most; absent gives the fallback.
func (c *call) integer(name string, fallback, least, most int64) int64 {
	text, given := c.query.get(name)
	if !given {
		return fallback
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most || text[0] == '+' {
		c.invalid(name, "must be a whole number from %d to %d", least, most)
		return fallback
	}
	return n
}

// enum reads a parameter that is one of a few words; absent gives the first.
func (c *call) enum(name string, words ...string) string {
	text, given := c.query.get(name)
	if !given {
		return words[0]
	}
	if !slices.Contains(words, text) {
		c.invalid(name, "must be one of %s", strings.Join(words, ", "))
		return words[0]
	}
	return text
}

// boolean reads a parameter that is true or false; absent gives nil.
func (c *call) boolean(name string) *bool {
	text, given := c.query.get(name)
	if !given {
		return nil
	}
	if text != "true" && text != "false" {
		c.invalid(name, "must be true or false")
		return nil
	}
	value := text == "true"
	return &value
}

// identifier reads a parameter that is an id; absent gives the empty text. An id that nothing can have is kept: the list
// is empty then, see listsNothing.
func (c *call) identifier(name string) string {
	text, given := c.query.get(name)
	switch {
	case !given:
		return ""
	case text == "":
		c.invalid(name, "must not be empty")
	case len(text) > maxPathID:
		c.invalid(name, "must be at most %d bytes long", maxPathID)
	case strings.ContainsRune(text, 0):
		c.invalid(name, "must not contain a NUL character")
	}
	return text
}

// pageRequest is the part of a list that is asked for. Offset is the number of entities before the page, also when a
// cursor was used, since cursors carry it.
type pageRequest struct {
	limit  int
	offset int64
	after  graph.Position
	count  bool
	// truncated is of the answer: a search has not looked at every hit.
	truncated bool
}

// paging reads limit, offset, cursor and count.
func (c *call) paging() pageRequest {
	p := pageRequest{
		limit:  int(c.integer("limit", graph.DefaultLimit, 1, graph.MaxLimit)),
		offset: c.integer("offset", 0, 0, maxOffset),
		count:  c.exactCount(),
	}
	text, given := c.query.get("cursor")
	if !given {
		return p
	}
	if _, both := c.query.get("offset"); both {
		c.invalid("cursor", "must not be used together with offset")
		return p
	}
	after, offset, ok := c.api.cursors.decode(text, c.fingerprint())
	if !ok {
		c.invalid("cursor", "must be a next_cursor of this very query; only limit may change between pages")
		return p
	}
	p.after, p.offset = after, offset
	return p
}

// maxOffset is the largest offset: any 64-bit whole number.
const maxOffset = 1<<63 - 1

// store is the page in the terms of the stores.
func (p pageRequest) store() graph.Paging {
	if p.after != nil {
		return graph.Paging{Limit: p.limit, After: p.after, Count: p.count}
	}
	// No database holds as many entities, and adding the limit must not overflow, here or in the database.
	return graph.Paging{Limit: p.limit, Offset: min(p.offset, maxOffset>>1), Count: p.count}
}

// exactCount reads count, which has one value so far.
func (c *call) exactCount() bool {
	text, given := c.query.get("count")
	if given && text != "exact" {
		c.invalid("count", "must be exact, or be left out")
	}
	return given
}

// fields reads which properties a list shows; nil for all.
func (c *call) fields() graph.Fields {
	text, given := c.query.get("fields")
	if !given {
		return nil
	}
	fields, f := graph.ParseFields("fields", text)
	c.addProblem(f)
	return fields
}

// filterParameter stands for all parameters filter[...] among those that a row knows.
const filterParameter = "filter"

// filter reads the conditions of a list.
func (c *call) filter() graph.Filter {
	var conditions graph.Filter
	for _, p := range c.query {
		if !graph.IsFilter(p.name) {
			continue
		}
		condition, f := graph.ParseCondition(truncateName(p.name), p.name, p.value, typedjson.Literals{})
		c.addProblem(f)
		conditions = append(conditions, condition)
	}
	c.addProblem(graph.CheckFilter(conditions))
	return conditions
}

// sort reads the order of a list; nil for its own.
func (c *call) sort() graph.Sort {
	text, given := c.query.get("sort")
	if !given {
		return nil
	}
	keys, f := graph.ParseSort("sort", text)
	c.addProblem(f)
	return keys
}

// pagingParameters are parameters that may change from page to page: they neither select nor order entities.
var pagingParameters = []string{"cursor", "limit", "offset", "count", "fields"}

// fingerprint is what a cursor is bound to: the route, the values in the path, and all query parameters that select or
// order entities, in one canonical order.
func (c *call) fingerprint() []byte {
	kept := slices.DeleteFunc(slices.Clone(c.query), func(p parameter) bool {
		return slices.Contains(pagingParameters, p.name)
	})
	slices.SortFunc(kept, func(a, b parameter) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.value, b.value))
	})
	// Each text is preceded by its length, so that no two queries give the same bytes.
	var text []byte
	add := func(s string) {
		text = strconv.AppendInt(text, int64(len(s)), 10)
		text = append(text, ':')
		text = append(text, s...)
	}
	add(c.route.Path)
	for _, each := range c.gin.Params {
		add(each.Value)
	}
	for _, each := range kept {
		add(each.name)
		add(each.value)
	}
	return text
}
