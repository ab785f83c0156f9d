package typedjson

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"graphrest/internal/graph"
)

// AppendValue appends a value's JSON. nil is null. A value of an unsupported type (which a newer database might have) is
// {"$type":"Unsupported","_value":null}: readers see that it exists, and writing it back is rejected.
func AppendValue(dst []byte, v graph.Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if v-v != 0 {
			return closeTag(appendFloatText(openTag(dst, tagFloat), v))
		}
		return appendFloat(dst, v)
	case string:
		return AppendString(dst, v)
	case []graph.Value:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendValue(dst, e)
		}
		return append(dst, ']')
	case graph.Bytes:
		return closeTag(base64.StdEncoding.AppendEncode(openTag(dst, tagBase64), v))
	case graph.Date:
		return closeTag(appendDate(openTag(dst, tagDate), v.Days))
	case graph.LocalTime:
		return closeTag(appendClock(openTag(dst, tagLocalTime), v.Nanos))
	case graph.OffsetTime:
		return closeTag(appendOffset(appendClock(openTag(dst, tagTime), v.Nanos), v.Offset))
	case graph.LocalDateTime:
		return closeTag(appendDateTime(openTag(dst, tagLocalDateTime), v.Seconds, v.Nanos))
	case graph.DateTime:
		return appendZoned(dst, v)
	case graph.Duration:
		return closeTag(appendDuration(openTag(dst, tagDuration), v))
	case graph.Point:
		return closeTag(appendPoint(openTag(dst, tagPoint), v))
	}
	return append(dst, `{"$type":"Unsupported","_value":null}`...)
}

// AppendProperties appends an object with its keys in byte order, so that equal content always gives the same text.
func AppendProperties(dst []byte, p graph.Properties) []byte {
	var few [32]string
	keys := few[:0]
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, k), ':')
		dst = AppendValue(dst, p[k])
	}
	return append(dst, '}')
}

// AppendNode appends {"id","type","labels","properties"}; the type of a node without labels is null.
func AppendNode(dst []byte, n *graph.Node) []byte {
	dst = AppendString(append(dst, `{"id":`...), n.ID)
	dst = append(dst, `,"type":`...)
	if n.Type == "" {
		dst = append(dst, "null"...)
	} else {
		dst = AppendString(dst, n.Type)
	}
	dst = append(dst, `,"labels":[`...)
	for i, l := range n.Labels {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, l)
	}
	dst = AppendProperties(append(dst, `],"properties":`...), n.Properties)
	return append(dst, '}')
}

// AppendEdge appends {"id","type","source_id","target_id","properties"}, and {"source","target"} if the edge has Ends.
func AppendEdge(dst []byte, e *graph.Edge) []byte {
	dst = AppendString(append(dst, `{"id":`...), e.ID)
	dst = AppendString(append(dst, `,"type":`...), e.Type)
	dst = AppendString(append(dst, `,"source_id":`...), e.SourceID)
	dst = AppendString(append(dst, `,"target_id":`...), e.TargetID)
	if e.Ends != nil {
		dst = appendEnd(append(dst, `,"source":`...), e.Ends.Source)
		dst = appendEnd(append(dst, `,"target":`...), e.Ends.Target)
	}
	dst = AppendProperties(append(dst, `,"properties":`...), e.Properties)
	return append(dst, '}')
}

// appendEnd appends {"type","caption"}, each null if the node has none.
func appendEnd(dst []byte, e graph.End) []byte {
	dst = appendStringOrNull(append(dst, `{"type":`...), e.Type)
	dst = appendStringOrNull(append(dst, `,"caption":`...), e.Caption)
	return append(dst, '}')
}

func appendStringOrNull(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, s)
}

const hexDigits = "0123456789abcdef"

// AppendString appends a JSON string. It escapes control characters, and U+2028 and U+2029, which end a line in older
// JavaScript; <, > and & stay, since no response is HTML. Invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = appendEscape(append(dst, s[done:i]...), c)
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[done:i]...), `\ufffd`...)
			done = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[done:i]...), `\u202`...)
			dst = append(dst, hexDigits[r&0xf])
			done = i + size
		}
		i += size
	}
	return append(append(dst, s[done:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

// openTag and closeTag enclose the text of a tagged value, which never needs escaping.
func openTag(dst []byte, tag string) []byte {
	dst = append(append(dst, `{"$type":"`...), tag...)
	return append(dst, `","_value":"`...)
}

func closeTag(dst []byte) []byte { return append(dst, `"}`...) }

// appendFloat appends the shortest text that reads back as the same finite float, always with a fraction or an
// exponent, which distinguishes it from an integer.
func appendFloat(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if slices.Contains(dst[start:], '.') {
		return dst
	}
	return append(dst, '.', '0')
}

// appendFloatText appends any float; NaN and the infinities as Java's Double.toString writes them.
func appendFloatText(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	return appendFloat(dst, f)
}

// appendPoint appends well-known text with its SRID, as Neo4j's Query API does.
func appendPoint(dst []byte, p graph.Point) []byte {
	dst = strconv.AppendInt(append(dst, "SRID="...), int64(p.SRID), 10)
	dst = append(dst, ";POINT "...)
	if p.Dimensions() == 3 {
		dst = append(dst, "Z "...)
	}
	dst = appendFloatText(append(dst, '('), p.X)
	dst = appendFloatText(append(dst, ' '), p.Y)
	if p.Dimensions() == 3 {
		dst = appendFloatText(append(dst, ' '), p.Z)
	}
	return append(dst, ')')
}

// AppendPaths appends the members "paths" and "truncated" of {"nodes","edges","paths","truncated"} and the closing brace.
func AppendPaths(dst []byte, g *graph.Subgraph) []byte {
	dst = append(dst, `"paths":[`...)
	for i, path := range g.Paths {
		if i > 0 {
			dst = append(dst, ',')
		}
		for j, id := range path {
			if j == 0 {
				dst = append(dst, '[')
			} else {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, id)
		}
		dst = append(dst, ']')
	}
	dst = append(dst, `],"truncated":`...)
	return append(strconv.AppendBool(dst, g.Truncated), '}')
}

// AppendText appends a scalar value as text outside of JSON: a string as it is, a tagged value as the text in its tag. null and a value of
// an unsupported type are empty.
func AppendText(dst []byte, v graph.Value) []byte {
	if s, isText := v.(string); isText {
		return append(dst, s...)
	}
	written := AppendValue(nil, v)
	if text, tagged := bytes.CutPrefix(written, []byte(`{"$type":"`)); tagged {
		_, text, _ = bytes.Cut(text, []byte(`","_value":"`))
		return append(dst, bytes.TrimSuffix(text, []byte(`"}`))...)
	}
	if v == nil {
		return dst
	}
	return append(dst, written...)
}
