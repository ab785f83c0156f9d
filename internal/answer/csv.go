package answer

import (
	"strings"

	"graphrest/internal/typedjson"
)

// AppendHeader appends the first line of a CSV file: the names of the columns.
func AppendHeader(dst []byte, columns []Column) []byte {
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, c.Name)
	}
	return append(dst, '\n')
}

// AppendRecord appends a row as a record of CSV (RFC 4180, with a line feed alone). Text is as it is, a value that typed JSON tags is the
// text of its _value, a node and an edge are their ids, and lists, maps and paths are their JSON. null is an empty field, an empty text is
// quoted; where there is one column, so is null, since readers skip an empty line.
func AppendRecord(dst []byte, row Row) []byte {
	for i, cell := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		if cell != nil || len(row) == 1 {
			dst = appendField(dst, fieldOf(cell))
		}
	}
	return append(dst, '\n')
}

// fieldOf is the text of a cell; null is empty.
func fieldOf(c Cell) string {
	switch c := c.(type) {
	case nil:
		return ""
	case string:
		return c
	case NodeID:
		return string(c)
	case EdgeID:
		return string(c)
	case Unsupported:
		return string(c)
	case Path, Map, []Cell:
		return string(AppendCell(nil, c))
	}
	return string(typedjson.AppendText(nil, c))
}

func appendField(dst []byte, text string) []byte {
	plain := text != "" && !strings.ContainsAny(text, ",\"\r\n") && text[0] != ' ' && text[len(text)-1] != ' '
	if plain {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}
