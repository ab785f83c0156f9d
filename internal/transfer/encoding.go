package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	textencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// CheckEncoding returns an error if the name is not that of an encoding, such as windows-1252.
func CheckEncoding(name string) error {
	if _, err := htmlindex.Get(name); name != "" && err != nil {
		return fmt.Errorf("%q is not the name of an encoding; names are utf-8, windows-1252, iso-8859-15, utf-16le and so on", name)
	}
	return nil
}

var byteOrderMark = []byte("\ufeff")

// Decode returns the text of a file in UTF-8, without a byte order mark. Without the name of an encoding it is UTF-16 if it begins with
// such a mark, and otherwise passed on unchanged. converted reports that U+FFFD stands for what is not in the encoding.
func Decode(from io.Reader, encoding string) (text io.Reader, converted bool, err error) {
	b := bufio.NewReaderSize(from, 64<<10)
	head, _ := b.Peek(4) // fewer bytes are the whole file
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, false, errors.New("the file is compressed, or a workbook: unpack it, or save the sheet as CSV")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}) || bytes.Equal(head, []byte{0, 0, 0xfe, 0xff}):
		return nil, false, errors.New("the file is in UTF-32; convert it to UTF-8")
	case bytes.HasPrefix(head, byteOrderMark):
		// A program that adds a mark to a file that has one leaves two.
		for ; bytes.HasPrefix(head, byteOrderMark); head, _ = b.Peek(len(byteOrderMark)) {
			_, _ = b.Discard(len(byteOrderMark)) // peeked
		}
		return b, false, nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(b), true, nil
	case encoding == "":
		return b, false, nil
	}
	e, err := htmlindex.Get(encoding)
	if err != nil {
		return nil, false, err
	}
	if name, _ := htmlindex.Name(e); name == "utf-8" {
		return b, false, nil // its decoder would replace what is invalid
	}
	return e.NewDecoder().Reader(b), true, nil
}

// CheckText reads a file and returns an error with the first line that is not in UTF-8.
func CheckText(from io.Reader, encoding string) error {
	text, _, err := Decode(from, encoding)
	if err != nil {
		return err
	}
	lines := &lineCounter{line: 1}
	_, err = io.Copy(lines, transform.NewReader(text, textencoding.UTF8Validator))
	if errors.Is(err, textencoding.ErrInvalidUTF8) {
		return fmt.Errorf("line %d %w", lines.line, errNotUTF8)
	}
	return err
}

type lineCounter struct{ line int }

func (l *lineCounter) Write(b []byte) (int, error) {
	l.line += bytes.Count(b, []byte{'\n'})
	return len(b), nil
}
