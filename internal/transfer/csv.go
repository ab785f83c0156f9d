package transfer

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphrest/internal/typedjson"
)

// CSV says how the records of CSV files become lines of an import, nodes, or edges if there are the columns :START_ID and :END_ID. Ids in
// the files become refs, so they connect the files of one import and are not stored.
type CSV struct {
	Types     []string // labels of every node, or the type of every edge whose :TYPE is empty
	Delimiter byte     // of the fields; 0 for the one that divides the header most often
	// ListDelimiter separates the values of a list, and labels; 0 for a semicolon.
	ListDelimiter byte
	Quote         byte   // 0 for none
	Null          string // a field that is not quoted and has this text is absent, as an empty one is
	Encoding      string // the name of an encoding; empty for UTF-8, or what a byte order mark says
	// NewID returns the id of the entity of a record; nil for new ids.
	NewID func(record int64) string
	// RequireLabels rejects nodes without labels, which have no id by which another import finds them.
	RequireLabels bool
	// Reject is called for a record that cannot be converted. Its line is empty, so that the numbers of lines are those of records.
	Reject func(record int64, err error)

	table   *csvTable
	records int64
}

// listSeparator separates the values of a list, and labels, as in neo4j-admin's import.
const listSeparator = ";"

// csvTable is what the header of a file says.
type csvTable struct {
	*CSV
	columns   []column
	edges     bool
	delimiter byte
	separator string // of lists and labels
}

func (o *CSV) newTable(header []field, delimiter byte) (*csvTable, error) {
	t := &csvTable{CSV: o, delimiter: delimiter, separator: listSeparator}
	if o.ListDelimiter != 0 {
		t.separator = string(rune(o.ListDelimiter))
	}
	for _, h := range header {
		c, err := parseColumn(h.text)
		if err != nil {
			return nil, err
		}
		t.columns = append(t.columns, c)
	}
	var err error
	t.edges, err = checkColumns(t.columns, o.Types)
	return t, err
}

// WriteLines reads a file and writes a line for each of its records, which are counted from 1 over all files. The first record of the
// first file is the header of all. An error is one after which the file cannot be read.
func (o *CSV) WriteLines(from io.Reader, to io.Writer) error {
	text, converted, err := Decode(from, o.Encoding)
	if err != nil {
		return err
	}
	buffered := bufio.NewReaderSize(text, 64<<10)
	in := newRecordReader(buffered, 0, o.Quote)
	in.decoded = converted
	in.readSeparator()
	if err := o.readHeader(in, buffered); err != nil {
		return err
	}
	in.delimiter = o.table.delimiter
	out := bufio.NewWriterSize(to, 64<<10)
	var line []byte
	for {
		record, err := in.read()
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if bad := (*recordError)(nil); err != nil && !errors.As(err, &bad) {
			return errors.Join(err, out.Flush())
		}
		o.records++
		if err == nil {
			line, err = o.table.appendLine(line[:0], record)
		}
		if err != nil {
			o.Reject(o.records, err)
			line = append(line[:0], '\n')
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
}

// readHeader reads the header, unless another file had it.
func (o *CSV) readHeader(in *recordReader, buffered *bufio.Reader) error {
	if o.table != nil {
		return nil
	}
	if in.delimiter = cmp.Or(o.Delimiter, in.delimiter); in.delimiter == 0 {
		in.delimiter = detectDelimiter(buffered, o.Quote)
	}
	header, err := in.read()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty; its first line must name the columns")
	}
	if err != nil {
		return fmt.Errorf("the header: %w", err)
	}
	o.table, err = o.newTable(header, in.delimiter)
	return err
}

// isAbsent reports whether a field has no value.
func (o *CSV) isAbsent(f field) bool {
	return !f.quoted && (f.text == "" || o.Null != "" && f.text == o.Null)
}

// appendLine appends a record as an import line.
func (t *csvTable) appendLine(b []byte, record []field) ([]byte, error) {
	if len(record) != len(t.columns) {
		return b, fmt.Errorf("has %d fields, and the header has %d", len(record), len(t.columns))
	}
	kind := "node"
	if t.edges {
		kind = "edge"
	}
	b = append(b, `{"kind":"`+kind+`"`...)
	member := func(name, text string) {
		b = append(b, `,"`+name+`":`...)
		b = typedjson.AppendString(b, text)
	}
	types := slices.Clone(t.Types)
	for i, c := range t.columns {
		f := record[i]
		switch {
		case c.role.isReference() && (f.text == "" || t.isAbsent(f)):
			if c.role != roleID {
				return b, fmt.Errorf(":%s is empty", c.role)
			}
		case c.role.isReference():
			ref, err := c.ref(f.text)
			if err != nil {
				return b, err
			}
			member(map[columnRole]string{roleID: "ref", roleStart: "source_ref", roleEnd: "target_ref"}[c.role], ref)
		case c.role == roleUnnamed && f.text != "" && !t.isAbsent(f):
			return b, fmt.Errorf("has a value in column %d, whose header is empty; name it, or :IGNORE", i+1)
		case c.role == roleType && f.text != "" && !t.isAbsent(f):
			types = []string{f.text}
		case c.role == roleLabel && !t.isAbsent(f):
			for label := range strings.SplitSeq(f.text, t.separator) {
				if label != "" && !slices.Contains(types, label) {
					types = append(types, label)
				}
			}
		}
	}
	switch {
	case !t.edges && t.RequireLabels && len(types) == 0:
		return b, errors.New("a node without labels cannot be found again by a key")
	case !t.edges:
		b = appendLabels(b, types)
	case len(types) == 0:
		return b, errors.New(":TYPE is empty")
	default:
		member("type", types[0])
	}
	if t.NewID != nil && len(types) > 0 {
		member("id", t.NewID(t.records))
	}
	b, err := t.appendProperties(append(b, `,"properties":{`...), record)
	return append(b, "}}\n"...), err
}

// ref is the name by which lines of the import refer to the node with an id.
func (c column) ref(id string) (string, error) {
	if c.kind == "long" { // 7 and 07 are one id
		b, err := appendInteger(nil, id)
		if err != nil {
			return "", fmt.Errorf(":%s: %w", c.role, err)
		}
		id = string(b)
	}
	return qualifyID(c.idSpace, id), nil
}

// shortenRef returns a ref that the gateway accepts: the hash of one that is too long.
func shortenRef(ref string) string {
	if len(ref) <= maxRef {
		return ref
	}
	sum := sha256.Sum256([]byte(ref))
	return "#" + hex.EncodeToString(sum[:])
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

func (t *csvTable) appendProperties(b []byte, record []field) ([]byte, error) {
	first := true
	for i, c := range t.columns {
		f := record[i]
		if c.name == "" || (c.role != roleProperty && c.role != roleID) || t.isAbsent(f) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(typedjson.AppendString(b, c.name), ':')
		var err error
		if b, err = t.appendValue(b, c, f.text); err != nil {
			return b, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return b, nil
}

func (t *csvTable) appendValue(b []byte, c column, text string) ([]byte, error) {
	if c.kind == "byte[]" {
		text = strings.ReplaceAll(text, t.separator, listSeparator)
	}
	if !c.list {
		return c.convert(b, text)
	}
	b = append(b, '[')
	if text == "" { // quoted: a list without values
		return append(b, ']'), nil
	}
	var err error
	for i, element := range strings.Split(text, t.separator) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = c.convert(b, element); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// WriteLines copies lines of JSON to an import, from any encoding. NewID gives an id to the lines that have none; nil leaves them so.
// requireLabels is that of CSV: a node without labels gets an id as well, with which the gateway rejects it.
func WriteLines(from io.Reader, encoding string, newID func(line int64) string, requireLabels bool, to io.Writer) error {
	text, _, err := Decode(from, encoding)
	if err != nil {
		return err
	}
	if newID == nil {
		_, err = io.Copy(to, text)
		return err
	}
	in, out := bufio.NewReaderSize(text, 64<<10), bufio.NewWriterSize(to, 64<<10)
	for n := int64(1); ; n++ {
		line, readErr := in.ReadBytes('\n')
		if _, err := out.Write(addID(line, newID(n), requireLabels)); err != nil {
			return err
		}
		if errors.Is(readErr, io.EOF) {
			return out.Flush()
		}
		if readErr != nil {
			return errors.Join(readErr, out.Flush())
		}
	}
}

// addID adds an id to the line of an edge or a node that has none. Nodes without labels have no id. The gateway finds what is wrong with
// a line.
func addID(line []byte, id string, requireLabels bool) []byte {
	o, f := typedjson.ParseObject(bytes.TrimSpace(line))
	if f != nil || o.Has("id") {
		return line
	}
	switch o.String("kind") {
	case "edge":
	case "node":
		if o.String("type") == "" && len(o.Strings("labels")) == 0 && !requireLabels {
			return line
		}
	default:
		return line
	}
	at := bytes.IndexByte(line, '{') + 1
	return append(append(typedjson.AppendString([]byte(`{"id":`), id), ','), line[at:]...)
}
