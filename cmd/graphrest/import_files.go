package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"graphrest/internal/transfer"
)

// input is one source of lines: a file of lines, or CSV files that have one header.
type input struct {
	name  string
	files []io.ReadCloser
	csv   *transfer.CSV // nil for lines
	newID func(line int64) string
	first int64 // its first line in the import
}

// inputs are the sources of one import.
type inputs struct {
	all           []*input
	encoding      string
	requireLabels bool  // rejects nodes that an import with the same key would create again
	size          int64 // bytes; 0 if unknown

	rejected atomic.Int64 // the number of records that were not sent
	mu       sync.Mutex
	problems []problemLine // the first of them
}

// problemLine is a line of the import with what is wrong.
type problemLine struct {
	line int64
	text string
}

// tableExtensions are those of CSV files.
var tableExtensions = []string{".csv", ".tsv", ".psv"}

func isTableName(name string) bool {
	return slices.Contains(tableExtensions, strings.ToLower(filepath.Ext(name)))
}

func (p *process) openInputs(args []string, f *importFlags) (_ *inputs, err error) {
	files := &inputs{encoding: f.encoding, requireLabels: f.resumes}
	defer func() {
		if err != nil {
			files.close()
		}
	}()
	if err := transfer.CheckEncoding(f.encoding); err != nil {
		return nil, newUsageError("--encoding: %s", err)
	}
	known := true
	key := transfer.NewKey(f.key)
	for n, arg := range args {
		one := &input{name: arg, newID: func(line int64) string { return key.ID(uint16(n), line) }}
		types, name, typed := strings.Cut(arg, "=")
		if typed {
			one.name = name
		}
		if typed || isTableName(one.name) {
			if one.csv, err = f.newCSV(one, files); err != nil {
				return nil, err
			}
			one.csv.RequireLabels = files.requireLabels
		}
		if typed {
			one.csv.Types = strings.Split(types, ";")
		}
		if one.csv == nil && len(args) > 1 {
			return nil, newUsageError("%s: an import is one file of lines, or CSV files (.csv, .tsv, or TYPE=file)", arg)
		}
		files.all = append(files.all, one)
		if one.name == "-" {
			one.files, known = []io.ReadCloser{io.NopCloser(p.stdin)}, false
			continue
		}
		size, err := one.open(f.encoding)
		if err != nil {
			return nil, err
		}
		known = known && size >= 0
		files.size += size
	}
	if !known {
		files.size = 0
	}
	return files, nil
}

// newCSV returns how a CSV file is read.
func (f *importFlags) newCSV(one *input, files *inputs) (*transfer.CSV, error) {
	o := &transfer.CSV{Null: f.null, Encoding: f.encoding, NewID: one.newID}
	for flag, to := range map[string]*byte{"delimiter": &o.Delimiter, "array-delimiter": &o.ListDelimiter, "quote": &o.Quote} {
		text := map[string]string{"delimiter": f.delimiter, "array-delimiter": f.listDelimiter, "quote": f.quote}[flag]
		if text == `\t` || strings.EqualFold(text, "tab") {
			text = "\t"
		}
		if text == "" && flag != "array-delimiter" {
			continue
		}
		if len(text) != 1 || text[0] >= 0x80 || text == "\n" || text == "\r" {
			return nil, newUsageError("--%s is %q; it must be one ASCII character, or \\t", flag, text)
		}
		*to = text[0]
	}
	if o.Delimiter != 0 && o.Delimiter == o.Quote {
		return nil, newUsageError("--delimiter and --quote must differ")
	}
	o.Reject = func(record int64, err error) {
		files.rejected.Add(1)
		files.mu.Lock()
		defer files.mu.Unlock()
		if len(files.problems) < maxReportedLines {
			files.problems = append(files.problems, problemLine{one.first + record - 1, err.Error()})
		}
	}
	return o, nil
}

// open opens the files of an input: one, or several with commas between their names. The size is -1 if it is unknown.
func (one *input) open(encoding string) (size int64, err error) {
	names := []string{one.name}
	if _, err := os.Stat(one.name); one.csv != nil && err != nil {
		names = strings.Split(one.name, ",")
	}
	for _, name := range names {
		file, err := os.Open(name) //nolint:gosec // G304: the user names the files
		if err != nil {
			return 0, err
		}
		one.files = append(one.files, file)
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			size = -1
			continue
		}
		if size >= 0 {
			size += info.Size()
		}
		if one.csv == nil {
			continue // the gateway checks each line
		}
		if err := transfer.CheckText(file, encoding); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
	}
	return size, nil
}

func (f *inputs) close() {
	for _, one := range f.all {
		for _, file := range one.files {
			_ = file.Close() // only read from
		}
	}
}

// feed writes the lines of all files. progress gets the number of bytes read.
func (f *inputs) feed(to *lineWriter, progress func(int64)) error {
	var read int64
	for _, one := range f.all {
		f.mu.Lock()
		one.first = to.n + 1
		f.mu.Unlock()
		for _, file := range one.files {
			from := progressReader{file, func(n int) {
				read += int64(n)
				progress(read)
			}}
			var err error
			if one.csv != nil {
				err = one.csv.WriteLines(from, to)
			} else {
				err = transfer.WriteLines(from, f.encoding, one.newID, f.requireLabels, to)
			}
			if err != nil && !errors.Is(err, io.ErrClosedPipe) {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			if err != nil {
				return err
			}
		}
	}
	return to.finishLine()
}

// reportedLines are the first lines that failed, here or at the gateway, with their places.
func (f *inputs) reportedLines(counts transfer.Counts) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Clone(f.problems)
	for i := range counts.Errors {
		all = append(all, problemLine{counts.Errors[i].Line, counts.Errors[i].Error()})
	}
	slices.SortStableFunc(all, func(a, b problemLine) int { return cmp.Compare(a.line, b.line) })
	var texts []string
	for _, each := range all[:min(len(all), maxReportedLines)] {
		texts = append(texts, f.locate(each.line)+": "+each.text)
	}
	return texts
}

// locate names a line of the import by its file and number.
func (f *inputs) locate(line int64) string {
	last := f.all[0]
	for _, one := range f.all {
		if one.first > 0 && one.first <= line {
			last = one
		}
	}
	if last.csv != nil {
		return fmt.Sprintf("%s, record %d", last.name, line-last.first+1)
	}
	return fmt.Sprintf("line %d", line)
}

type progressReader struct {
	from   io.Reader
	onRead func(int)
}

func (c progressReader) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.onRead(n)
	return n, err
}

// lineWriter passes whole lines on, and counts them. It may be ended while it is written to; then no line is cut.
type lineWriter struct {
	mu    sync.Mutex
	to    *io.PipeWriter
	rest  []byte // the beginning of a line
	n     int64
	ended bool
}

func (l *lineWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, io.ErrClosedPipe
	}
	end := bytes.LastIndexByte(b, '\n') + 1
	if end == 0 {
		l.rest = append(l.rest, b...)
		return len(b), nil
	}
	whole := append(l.rest, b[:end]...)
	l.n += int64(bytes.Count(whole, []byte{'\n'}))
	if _, err := l.to.Write(whole); err != nil {
		return 0, err
	}
	l.rest = append(l.rest[:0], b[end:]...)
	return len(b), nil
}

// finishLine passes on a last line that has no line break.
func (l *lineWriter) finishLine() error {
	l.mu.Lock()
	open := len(l.rest) > 0
	l.mu.Unlock()
	if !open {
		return nil
	}
	_, err := l.Write([]byte{'\n'})
	return err
}

// end ends the lines.
func (l *lineWriter) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.ended = true
		_ = l.to.Close() // never fails
	}
}
