package transfer

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"graphrest/internal/typedjson"
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
)

// column is one column, as described by its header.
type column struct {
	role    columnRole
	name    string // of the property; an :ID column may also have one
	idSpace string // of an id: ids in different spaces are independent
	kind    string // of a property's values
	list    bool
}

// listSeparator separates the values of a list, and labels, as in neo4j-admin's import.
const listSeparator = ";"

// headerFormat is a column's header in neo4j-admin's import (Neo4j manual, "Import", CSV header format): name:TYPE(space){options}[].
var headerFormat = regexp.MustCompile(`^([^:]*)(?::([A-Za-z_-]+)(?:\(([^)]*)\))?(?:\{[^}]*\})?(\[\])?)?$`)

func parseColumn(header string) (column, error) {
	m := headerFormat.FindStringSubmatch(strings.TrimSpace(header))
	if m == nil {
		return column{}, fmt.Errorf("the header %q does not have the format name:type", header)
	}
	c := column{name: m[1], idSpace: m[3], list: m[4] != ""}
	switch r := columnRole(strings.ToUpper(m[2])); r {
	case roleID, roleLabel, roleType, roleStart, roleEnd, roleIgnore:
		c.role = r
		if r != roleID && r != roleIgnore && c.name != "" {
			return c, fmt.Errorf("the header %q: :%s takes no name", header, r)
		}
		return c, nil
	}
	if c.name == "" {
		return c, fmt.Errorf("the header %q names no property", header)
	}
	if c.kind = strings.ToLower(m[2]); c.kind == "" {
		c.kind = "string"
	}
	if converters[c.kind] == nil {
		return c, fmt.Errorf("the header %q: %q is not a type", header, m[2])
	}
	return c, nil
}

// csvTable converts a CSV file to lines.
type csvTable struct {
	columns []column
	edges   bool
	types   []string // labels for every node, or the type of every edge
}

func newTable(headers, types []string) (*csvTable, error) {
	t := &csvTable{types: types}
	for _, h := range headers {
		c, err := parseColumn(h)
		if err != nil {
			return nil, err
		}
		t.columns = append(t.columns, c)
	}
	has := func(r columnRole) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.role == r })
	}
	t.edges = has(roleStart) || has(roleEnd)
	switch {
	case t.edges && (!has(roleStart) || !has(roleEnd)):
		return nil, errors.New("a file of edges needs the columns :START_ID and :END_ID")
	case t.edges && !has(roleType) && len(types) != 1:
		return nil, errors.New("a file of edges needs a column :TYPE, or one type given with its name: TYPE=file.csv")
	case !t.edges && has(roleType):
		return nil, errors.New("a file of nodes has no column :TYPE, and one of edges has :START_ID and :END_ID")
	}
	return t, nil
}

// WriteCSV reads a CSV file and writes an import line for each of its records: nodes, or edges if it has the columns :START_ID and
// :END_ID. Its ids become refs, so they connect the files of one import and are not stored. The types are labels of every node, or
// the type of every edge whose :TYPE is empty. An error names the record, counted from 1.
func WriteCSV(from io.Reader, types []string, to io.Writer) error {
	in := csv.NewReader(skipByteOrderMark(from))
	in.ReuseRecord = true
	headers, err := in.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty; its first line must name the columns")
	}
	if err != nil {
		return err
	}
	t, err := newTable(headers, types)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(to, 64<<10)
	var line []byte
	for n := 1; ; n++ {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if err != nil {
			return err
		}
		if line, err = t.appendLine(line[:0], record); err != nil {
			return fmt.Errorf("record %d: %w", n, err)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
}

// skipByteOrderMark skips the byte order mark that some programs write at the start of a file.
func skipByteOrderMark(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, err := b.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = b.Discard(len(mark))
	}
	return b
}

// appendLine appends a record as an import line. An empty field means that the property is absent.
func (t *csvTable) appendLine(b []byte, record []string) ([]byte, error) {
	kind, types := "node", slices.Clone(t.types)
	if t.edges {
		kind = "edge"
	}
	b = append(b, `{"kind":"`+kind+`"`...)
	member := func(name, text string) {
		b = append(b, `,"`+name+`":`...)
		b = typedjson.AppendString(b, text)
	}
	for i, c := range t.columns {
		text := record[i]
		switch c.role {
		case roleID:
			if !t.edges && text != "" {
				member("ref", qualifyID(c.idSpace, text))
			}
		case roleStart:
			member("source_ref", qualifyID(c.idSpace, text))
		case roleEnd:
			member("target_ref", qualifyID(c.idSpace, text))
		case roleType:
			if text != "" {
				types = []string{text}
			}
		case roleLabel:
			for label := range strings.SplitSeq(text, listSeparator) {
				if label != "" && !slices.Contains(types, label) {
					types = append(types, label)
				}
			}
		}
	}
	if t.edges {
		member("type", strings.Join(types, ""))
	} else {
		b = appendLabels(b, types)
	}
	b, err := t.appendProperties(append(b, `,"properties":{`...), record)
	return append(b, "}}\n"...), err
}

func appendLabels(b []byte, labels []string) []byte {
	b = append(b, `,"labels":[`...)
	for i, label := range labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = typedjson.AppendString(b, label)
	}
	return append(b, ']')
}

func qualifyID(space, id string) string {
	if space == "" {
		return id
	}
	return space + "/" + id
}

func (t *csvTable) appendProperties(b []byte, record []string) ([]byte, error) {
	first := true
	for i, c := range t.columns {
		text := record[i]
		if text == "" || c.name == "" || (c.role != roleProperty && c.role != roleID) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(typedjson.AppendString(b, c.name), ':')
		var err error
		if b, err = c.appendValue(b, text); err != nil {
			return b, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return b, nil
}

func (c column) appendValue(b []byte, text string) ([]byte, error) {
	if c.role == roleID {
		return typedjson.AppendString(b, text), nil
	}
	if !c.list {
		return converters[c.kind](b, text)
	}
	b = append(b, '[')
	var err error
	for i, element := range strings.Split(text, listSeparator) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = converters[c.kind](b, element); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}
