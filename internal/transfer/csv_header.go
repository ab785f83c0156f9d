package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// columnRole is the meaning of a column of a CSV file.
type columnRole string

const (
	roleProperty columnRole = ""
	roleID       columnRole = "ID"
	roleLabel    columnRole = "LABEL"
	roleType     columnRole = "TYPE"
	roleStart    columnRole = "START_ID"
	roleEnd      columnRole = "END_ID"
	roleIgnore   columnRole = "IGNORE"
	// A column below an empty header, as programs that end each line with a delimiter write it: it must have no values.
	roleUnnamed columnRole = "UNNAMED"
)

var roles = []columnRole{roleID, roleLabel, roleType, roleStart, roleEnd, roleIgnore}

func (r columnRole) isReference() bool { return r == roleID || r == roleStart || r == roleEnd }

// column is one column, as described by its header.
type column struct {
	role    columnRole
	name    string // of the property; an :ID column may also have one
	idSpace string // of an id: ids in different spaces are independent
	kind    string // of a property's values, or of an id
	list    bool
	options map[string]string
	convert converter
}

// headerFormat is the part of a header after the last colon of a name: TYPE(space){options}[] (Neo4j manual, "CSV header format").
// The options may also stand after the brackets.
var headerFormat = regexp.MustCompile(`^([A-Za-z_-]*)(\(([^()]*)\))?(\[\])?(\{([^{}]*)\})?(\[\])?$`)

// quotedName is a name in JSON at the beginning of a header, as exports write those that would be read otherwise.
var quotedName = regexp.MustCompile(`^"(?:[^"\\]|\\.)*"`)

// splitHeader divides a header into the name and what is after its colon, which may contain options with colons.
func splitHeader(header string) (name, rest string, err error) {
	if quoted := quotedName.FindString(header); quoted != "" {
		if err := json.Unmarshal([]byte(quoted), &name); err != nil {
			return "", "", fmt.Errorf("the header %q: the name is not a JSON string", header)
		}
		rest = header[len(quoted):]
		if rest != "" && rest[0] != ':' {
			return "", "", fmt.Errorf("the header %q does not have the format name:type", header)
		}
		return name, strings.TrimPrefix(rest, ":"), nil
	}
	end := len(header)
	if at := strings.IndexByte(header, '{'); at >= 0 {
		end = at
	}
	at := strings.LastIndexByte(header[:end], ':')
	if at < 0 {
		return header, "", nil
	}
	return header[:at], header[at+1:], nil
}

func parseColumn(header string) (column, error) {
	header = strings.TrimSpace(header)
	if header == "" {
		return column{role: roleUnnamed}, nil
	}
	name, rest, err := splitHeader(header)
	if err != nil {
		return column{}, err
	}
	fail := func(format string, args ...any) (column, error) {
		return column{}, fmt.Errorf("the header %q: %s", header, fmt.Sprintf(format, args...))
	}
	m := headerFormat.FindStringSubmatch(rest)
	if m == nil || m[4] != "" && m[7] != "" {
		return fail("what follows the colon does not have the format type[]{options}, or :ID(space)")
	}
	c := column{name: name, idSpace: strings.TrimSpace(m[3]), list: m[4]+m[7] != ""}
	if c.options, err = parseOptions(m[6]); err != nil {
		return fail("%s", err)
	}
	if r := columnRole(strings.ToUpper(m[1])); slices.Contains(roles, r) {
		c.role = r
	}
	switch {
	case m[2] != "" && !c.role.isReference():
		return fail("only :ID, :START_ID and :END_ID take the name of a space in parentheses")
	case m[2] != "" && c.idSpace == "":
		return fail("the name of the space is missing")
	case c.role == roleProperty && c.name == "":
		return fail("names no property")
	case c.role == roleProperty:
		c.kind = strings.ToLower(m[1])
		err = c.useConverter(m[1])
	case c.list:
		return fail(":%s takes no []", c.role)
	case c.role != roleID && c.role != roleIgnore && c.name != "":
		return fail(":%s takes no name", c.role)
	default:
		err = c.useIDOptions()
	}
	if err != nil {
		return fail("%s", err)
	}
	return c, nil
}

var optionFormat = regexp.MustCompile(`^\s*([A-Za-z_-]+)\s*:\s*(?:'([^']*)'|"([^"]*)"|([^'"]*?))\s*$`)

// parseOptions parses key:value,key:value. Keys are in lower case.
func parseOptions(text string) (map[string]string, error) {
	options := map[string]string{}
	if strings.TrimSpace(text) == "" {
		return options, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		m := optionFormat.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("the option %q does not have the format key:value", part)
		}
		key := strings.ToLower(m[1])
		if _, twice := options[key]; twice {
			return nil, fmt.Errorf("the option %s is given twice", key)
		}
		if options[key] = m[2] + m[3] + m[4]; options[key] == "" {
			return nil, fmt.Errorf("the option %s has no value", key)
		}
	}
	return options, nil
}

// refuseOptions returns an error that names the first option that is not known.
func refuseOptions(options map[string]string, known ...string) error {
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if slices.Contains(known, key) {
			continue
		}
		if len(known) == 0 {
			return fmt.Errorf("the option %s is not known; there are none here", key)
		}
		return fmt.Errorf("the option %s is not known; there are %s", key, strings.Join(known, ", "))
	}
	return nil
}

// useConverter chooses the converter of a property's values.
func (c *column) useConverter(typeName string) error {
	if c.kind == "" {
		c.kind = "string"
	}
	if c.kind == "byte" && c.list { // as in neo4j-admin's import, an array of bytes is one value, not a list
		c.list, c.kind = false, "byte[]"
	}
	newConverter := converters[c.kind]
	if newConverter == nil {
		return fmt.Errorf("%q is not a type", typeName)
	}
	var err error
	c.convert, err = newConverter(c.options)
	return err
}

// useIDOptions applies the option id-type: ids are texts, or integers, of which 7 and 07 are the same.
func (c *column) useIDOptions() error {
	known := []string{}
	if c.role.isReference() {
		known = []string{"id-type"}
	}
	if _, given := c.options["label"]; given {
		return errors.New("the option label is that of an incremental import, which there is not; give the label as :LABEL or with the file")
	}
	if err := refuseOptions(c.options, known...); err != nil {
		return err
	}
	switch text, given := c.options["id-type"]; strings.ToLower(text) {
	case "int", "long", "integer":
		c.kind = "long"
	case "string", "actual":
		c.kind = "string"
	default:
		if given {
			return fmt.Errorf("id-type is %q; it must be string, int or long", text)
		}
		c.kind = "string"
	}
	c.convert = map[string]converter{"long": appendInteger, "string": appendText}[c.kind]
	return nil
}

// checkColumns checks what columns need of each other.
func checkColumns(columns []column, types []string) (edges bool, err error) {
	count := map[columnRole]int{}
	names := map[string]bool{}
	for _, c := range columns {
		count[c.role]++
		if c.role == roleIgnore || c.name == "" {
			continue
		}
		if names[c.name] {
			return false, fmt.Errorf("two columns are the property %q", c.name)
		}
		names[c.name] = true
	}
	for _, r := range []columnRole{roleID, roleType, roleStart, roleEnd} {
		if count[r] > 1 {
			return false, fmt.Errorf("there are %d columns :%s; an id in several columns is not supported", count[r], r)
		}
	}
	edges = count[roleStart]+count[roleEnd] > 0
	switch {
	case edges && (count[roleStart] == 0 || count[roleEnd] == 0):
		err = errors.New("a file of edges needs the columns :START_ID and :END_ID")
	case edges && (count[roleID] > 0 || count[roleLabel] > 0):
		err = errors.New("a file of edges has no columns :ID and :LABEL; they are those of nodes")
	case edges && len(types) > 1:
		err = errors.New("an edge has one type; write TYPE=file.csv")
	case edges && count[roleType] == 0 && len(types) == 0:
		err = errors.New("a file of edges needs a column :TYPE, or one type given with its name: TYPE=file.csv")
	case !edges && count[roleType] > 0:
		err = errors.New("a file of nodes has no column :TYPE, and one of edges has :START_ID and :END_ID")
	}
	return edges, err
}

// spaceSeparator keeps the id of a space apart from one without: no length begins with it.
const spaceSeparator = ":"

// maxRef is the maximum length of a ref that the gateway accepts, in bytes.
const maxRef = 255

// qualifyID returns the ref of an id. The length of the space's name divides it from the id, so different pairs have different refs.
func qualifyID(space, id string) string {
	return shortenRef(strconv.Itoa(len(space)) + spaceSeparator + space + id)
}
