package httpapi

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// queryParameter is one query parameter, decoded.
type queryParameter struct{ name, value string }

// queryParameters are a request's query parameters in their order, each name once except the conditions of a filter.
type queryParameters []queryParameter

// get returns the value of a parameter and whether it was given.
func (p queryParameters) get(name string) (string, bool) {
	for _, each := range p {
		if each.name == name {
			return each.value, true
		}
	}
	return "", false
}

// parseQuery parses a raw query strictly. Known lists the allowed names; with others, any name is allowed. Faults
// name the parameter, or "query" if its name cannot be read: malformed percent-encoding, invalid UTF-8 or a semicolon.
func parseQuery(raw string, known []string, others bool) (queryParameters, []*fault.Error) {
	var found queryParameters
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
			found = append(found, queryParameter{name, value})
			continue
		}
		if (name == filterParameter || name == anyParameter) && slices.Contains(known, name) {
			faults = append(faults, fault.Invalid(name, "must be written filter[property][operator] or any[number][property][operator]"))
			continue
		}
		if !others && !slices.Contains(known, name) {
			faults = append(faults, fault.Invalid(truncateName(name), "is not a query parameter of this path; %s", describeKnown(known)))
			continue
		}
		if _, twice := found.get(name); twice {
			faults = append(faults, fault.Invalid(name, "must be given once"))
			continue
		}
		found = append(found, queryParameter{name, value})
	}
	return found, faults
}

// truncateName shortens a name that a client sent, so that it cannot fill the response.
func truncateName(name string) string {
	const maxLength = 64
	if len(name) <= maxLength {
		return name
	}
	cut := maxLength
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

// readQuery parses the query as the route allows; its faults join the other problems of the input.
func (c *call) readQuery() {
	if c.route.anyQuery {
		return
	}
	found, faults := parseQuery(c.gin.Request.URL.RawQuery, c.route.query, c.route.namedQuery)
	c.query = found
	c.problems = append(c.problems, faults...)
}

// readInteger reads a parameter of decimal digits from minimum to maximum; fallback if it is absent.
func (c *call) readInteger(name string, fallback, minimum, maximum int64) int64 {
	text, given := c.query.get(name)
	if !given {
		return fallback
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < minimum || n > maximum || text[0] == '+' {
		c.invalid(name, "must be a whole number from %d to %d", minimum, maximum)
		return fallback
	}
	return n
}

// readEnum reads a parameter that is one of a few words; the first word if it is absent.
func (c *call) readEnum(name string, words ...string) string {
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

// readBoolean reads a parameter that is true or false; nil if it is absent.
func (c *call) readBoolean(name string) *bool {
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

// readIdentifier reads a parameter that is an id; empty if it is absent. An id that no entity can have is kept: the list is then empty.
func (c *call) readIdentifier(name string) string {
	text, given := c.query.get(name)
	if !given {
		return ""
	}
	if problem := idProblem(text); problem != "" {
		c.invalid(name, "%s", problem)
	}
	return text
}

// idProblem says why a text cannot be sent as the id of an entity; empty if it can.
func idProblem(id string) string {
	switch {
	case id == "":
		return "must not be empty"
	case len(id) > maxPathID:
		return fmt.Sprintf("must be at most %d bytes long", maxPathID)
	case strings.ContainsRune(id, 0):
		return "must not contain a NUL character"
	default:
		return ""
	}
}

// readRequiredIdentifier reads a required parameter that is an id.
func (c *call) readRequiredIdentifier(name string) string {
	if _, given := c.query.get(name); !given {
		c.invalid(name, "must be given")
		return ""
	}
	return c.readIdentifier(name)
}

// readOptionalEnum reads a parameter that is one of a few words; empty if it is absent.
func (c *call) readOptionalEnum(name string, words []string) string {
	if _, given := c.query.get(name); !given {
		return ""
	}
	return c.readEnum(name, words...)
}

// readTimestamp reads a point in time (RFC 3339); the zero time if it is absent.
func (c *call) readTimestamp(name string) time.Time {
	text, given := c.query.get(name)
	if !given {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		c.invalid(name, "must be a time such as 2026-11-21T07:00:00Z (RFC 3339)")
		return time.Time{}
	}
	return t
}

// readFields reads the properties that a list returns; nil for all.
func (c *call) readFields() graph.Fields {
	text, given := c.query.get("fields")
	if !given {
		return nil
	}
	fields, f := graph.ParseFields("fields", text)
	c.addProblem(f)
	return fields
}

// filterParameter and anyParameter stand for all parameters filter[...] and any[...] in a route's list of query parameters.
const (
	filterParameter = "filter"
	anyParameter    = "any"
)

// readFilter reads the conditions of a list of nodes.
func (c *call) readFilter() graph.Filter { return c.parseFilter(graph.ParseCondition) }

// readEdgeFilter reads the conditions of a list of edges, of which some may be on the ends.
func (c *call) readEdgeFilter() graph.Filter { return c.parseFilter(graph.ParseEdgeCondition) }

func (c *call) parseFilter(parse func(field, name, text string, literals graph.Literals) (graph.Condition, *fault.Error)) graph.Filter {
	var all graph.Filter
	for _, p := range c.query {
		if !graph.IsFilter(p.name) {
			continue
		}
		condition, f := parse(truncateName(p.name), p.name, p.value, typedjson.Literals{})
		c.addProblem(f)
		all = append(all, condition)
	}
	c.addProblem(graph.CheckFilter(all))
	return all
}

// readSort reads the sort keys of a list of nodes; nil for the default order.
func (c *call) readSort() graph.Sort { return c.parseSort(graph.ParseSort) }

// readEdgeSort reads the sort keys of a list of edges, of which some may be of the ends.
func (c *call) readEdgeSort() graph.Sort { return c.parseSort(graph.ParseEdgeSort) }

func (c *call) parseSort(parse func(field, text string) (graph.Sort, *fault.Error)) graph.Sort {
	text, given := c.query.get("sort")
	if !given {
		return nil
	}
	keys, f := parse("sort", text)
	c.addProblem(f)
	return keys
}

// pagingParameters may change from page to page: they neither select nor order entities.
var pagingParameters = []string{"cursor", "limit", "offset", "count", "fields", "ends"}

// fingerprint returns what a cursor is bound to: the route, the values in the path, and all query parameters that select or
// order entities, in canonical order.
func (c *call) fingerprint() []byte {
	kept := slices.DeleteFunc(slices.Clone(c.query), func(p queryParameter) bool {
		return slices.Contains(pagingParameters, p.name)
	})
	slices.SortFunc(kept, func(a, b queryParameter) int {
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
