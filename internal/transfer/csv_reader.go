package transfer

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxRecord is the maximum length of a record in bytes. A longer one is the rest of a file after a quote that is never closed.
const maxRecord = 32 << 20

// recordError is what is wrong with one record. The records after it can be read.
type recordError struct{ reason string }

func (e *recordError) Error() string { return e.reason }

func newRecordError(format string, args ...any) error {
	return &recordError{fmt.Sprintf(format, args...)}
}

// field is one field of a record. A quoted field may be empty and still have a value.
type field struct {
	text   string
	quoted bool
}

// recordReader reads the records of a CSV file by RFC 4180, with any delimiter. A quoted field is kept byte by byte, with its line
// breaks; a quote inside a field that does not begin with one is an ordinary character, as in neo4j-admin's import.
type recordReader struct {
	in        *bufio.Reader
	delimiter byte
	quote     byte // 0 for none
	// lineEnd ends a record: '\n', with or without '\r' before it, or '\r' if the first record ends in one alone.
	lineEnd byte
	doubled bool  // lines end in "\r\r\n": a program wrote "\r\n" to a file that turns each "\n" into "\r\n"
	decoded bool  // the text was converted to UTF-8, so U+FFFD stands for a character that was lost
	line    int64 // the number of the current line, counted from 1
	text    []byte
	fields  []field
}

func newRecordReader(in *bufio.Reader, delimiter, quote byte) *recordReader {
	return &recordReader{in: in, delimiter: delimiter, quote: quote, line: 1}
}

// read reads the next record; empty lines are skipped. The fields are valid until the next call. The error is a *recordError, io.EOF,
// or one after which nothing can be read.
func (r *recordReader) read() ([]field, error) {
	for {
		r.fields = r.fields[:0]
		size, err := r.readFields()
		if err == nil || !errors.Is(err, io.EOF) {
			if err != nil || size > 0 {
				return r.fields, err
			}
			continue
		}
		if size > 0 {
			return r.fields, nil
		}
		return nil, io.EOF
	}
}

// readFields reads fields up to the end of the record. The size is 0 if the line is empty.
func (r *recordReader) readFields() (size int, err error) {
	var problem error
	for {
		f, n, last, err := r.readField()
		size += n
		if err != nil && !errors.Is(err, io.EOF) {
			var bad *recordError
			if !errors.As(err, &bad) {
				return size, err
			}
			if problem = cmp.Or(problem, err); last {
				return size, problem
			}
			continue
		}
		if len(r.fields) > 0 || n > 0 || !last {
			r.fields = append(r.fields, f)
		}
		if !last {
			size++ // the delimiter
			continue
		}
		if problem != nil {
			return size, problem
		}
		return size, err
	}
}

// readField reads a field and what ends it. last reports that it is the last one of the record. n is the number of bytes read, without
// those that end it.
func (r *recordReader) readField() (f field, n int, last bool, err error) {
	r.text = r.text[:0]
	began := r.line
	first, err := r.in.Peek(1)
	if err != nil {
		return f, 0, true, err
	}
	if r.quote != 0 && first[0] == r.quote {
		f.quoted = true
		_, _ = r.in.Discard(1) // peeked
		if err := r.readQuoted(); err != nil {
			if errors.Is(err, io.EOF) {
				err = newRecordError("the quote that opens in line %d is not closed", began)
			}
			return f, 1, true, err
		}
		f.text, n = string(r.text), len(r.text)+2
	}
	r.text = r.text[:0]
	last, err = r.readUnquoted()
	if n += len(r.text); !f.quoted {
		f.text = string(r.text)
	} else if len(r.text) > 0 {
		return f, n, last, newRecordError("a quoted field in line %d is followed by text: quotes inside it must be doubled", began)
	}
	if err == nil && !utf8.ValidString(f.text) {
		return f, n, last, errNotUTF8
	}
	if err == nil && r.decoded && strings.ContainsRune(f.text, utf8.RuneError) {
		return f, n, last, newRecordError("line %d is not in the encoding of the file", began)
	}
	return f, n, last, err
}

// errNotUTF8 is the error of a record of which the encoding is unknown.
var errNotUTF8 = &recordError{"is not in UTF-8; give --encoding, for instance windows-1252"}

// readQuoted reads up to the closing quote.
func (r *recordReader) readQuoted() error {
	for {
		part, err := r.in.ReadSlice(r.quote)
		r.text = append(r.text, part...)
		r.line += int64(bytes.Count(part, []byte{'\n'}))
		if len(r.text) > maxRecord {
			return fmt.Errorf("the field that ends in line %d is longer than %d bytes; is a quote before it not closed?", r.line, maxRecord)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return err
		}
		if next, _ := r.in.Peek(1); len(next) == 0 || next[0] != r.quote {
			r.text = r.text[:len(r.text)-1]
			return nil
		}
		_, _ = r.in.Discard(1) // peeked; of two quotes one is kept
	}
}

// readUnquoted reads up to the delimiter or the end of the record.
func (r *recordReader) readUnquoted() (last bool, err error) {
	for {
		c, err := r.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return true, err
		case c == r.delimiter:
			return false, nil
		case c == '\n' && r.lineEnd != '\r':
			r.lineEnd = '\n'
			r.line++
			return true, nil
		case c == '\r' && r.isLineEnd():
			r.line++
			return true, nil
		}
		if r.text = append(r.text, c); len(r.text) > maxRecord {
			return true, fmt.Errorf("line %d is longer than %d bytes", r.line, maxRecord)
		}
	}
}

// isLineEnd reports whether a carriage return ends the record, and reads the line feed after it.
func (r *recordReader) isLineEnd() bool {
	next, _ := r.in.Peek(2) // fewer bytes are the rest of the file
	switch {
	case r.lineEnd != '\r' && len(next) > 0 && next[0] == '\n':
		_, _ = r.in.Discard(1) // peeked
		r.lineEnd = '\n'
		return true
	case (r.lineEnd == 0 || r.doubled) && string(next) == "\r\n":
		_, _ = r.in.Discard(2) // peeked
		r.lineEnd, r.doubled = '\n', true
		return true
	case r.lineEnd == 0:
		r.lineEnd = '\r'
	}
	return r.lineEnd == '\r'
}

// separatorLine is a first line by which Excel knows the delimiter.
var separatorLine = regexp.MustCompile(`^"?sep=([\x09\x20-\x7e])"?\r?\n`)

// readSeparator reads the line before the header that names the delimiter, if there is one.
func (r *recordReader) readSeparator() {
	head, _ := r.in.Peek(len("\"sep=;\"\r\n")) // fewer bytes are the whole file
	if line := separatorLine.FindSubmatch(head); line != nil {
		r.delimiter = line[1][0]
		r.line++
		_, _ = r.in.Discard(len(line[0])) // peeked
	}
}

// delimiters are what usually separates fields; of those that divide a header equally often the first is chosen.
var delimiters = []byte{',', ';', '\t', '|'}

// detectDelimiter returns the delimiter that divides the header into the most fields.
func detectDelimiter(in *bufio.Reader, quote byte) byte {
	head, _ := in.Peek(in.Size()) // fewer bytes are the whole file
	best, most := delimiters[0], 0
	for _, delimiter := range delimiters {
		fields, err := newRecordReader(bufio.NewReader(bytes.NewReader(head)), delimiter, quote).read()
		if err == nil && len(fields) > most {
			best, most = delimiter, len(fields)
		}
	}
	return best
}
