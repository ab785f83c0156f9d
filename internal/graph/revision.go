package graph

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Revision is a hash of an entity's whole content: id, labels or type and ends, and properties. Other programs write to
// the same database, so an ETag must be derived from the content itself.
// It is the first 128 bits of a SHA-256, in 22 characters of base64url (RFC 4648, section 5), over an encoding in which
// two different contents always differ: every part is preceded by its kind and its length.
type Revision string

// Revision returns the node's current revision. The order of labels counts, since clients see it.
func (n *Node) Revision() Revision {
	buf := scratch.Get().(*[]byte)
	b := append((*buf)[:0], 'N')
	b = appendText(b, n.ID)
	b = appendText(b, n.Type)
	b = binary.AppendUvarint(b, uint64(len(n.Labels)))
	for _, l := range n.Labels {
		b = appendText(b, l)
	}
	b = appendProperties(b, n.Properties)
	return hashRevision(buf, b)
}

// Revision returns the edge's current revision.
func (e *Edge) Revision() Revision {
	buf := scratch.Get().(*[]byte)
	b := append((*buf)[:0], 'E')
	b = appendText(b, e.ID)
	b = appendText(b, e.Type)
	b = appendText(b, e.SourceID)
	b = appendText(b, e.TargetID)
	b = appendProperties(b, e.Properties)
	return hashRevision(buf, b)
}

// revisionBytes is how many bytes of the hash are kept: two contents of one entity do not have the same 128 bits by chance, and an ETag
// protects against accidental overwrites, not against an attacker who writes both contents.
const revisionBytes = 16

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

// maxScratch keeps a single huge entity from pinning its buffer in the pool.
const maxScratch = 1 << 20

func hashRevision(buf *[]byte, b []byte) Revision {
	h := sha256.Sum256(b)
	if cap(b) <= maxScratch {
		*buf = b
		scratch.Put(buf)
	}
	var text [22]byte
	base64.RawURLEncoding.Encode(text[:], h[:revisionBytes])
	return Revision(text[:])
}

func appendProperties(b []byte, p Properties) []byte {
	var few [32]string
	keys := few[:0]
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	b = binary.AppendUvarint(b, uint64(len(keys)))
	for _, k := range keys {
		b = appendText(b, k)
		b = appendValue(b, p[k])
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendValue appends a value's kind and then its parts, each of fixed length or preceded by its length.
func appendValue(b []byte, v Value) []byte {
	b = append(b, byte(kindOf(v)))
	switch v := v.(type) {
	case nil:
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case int64:
		b = append64(b, v)
	case float64:
		b = appendFloat(b, v)
	case string:
		b = appendText(b, v)
	case Bytes:
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	case Date:
		b = append64(b, v.Days)
	case LocalTime:
		b = append64(b, v.Nanos)
	case OffsetTime:
		b = append64(append64(b, v.Nanos), int64(v.Offset))
	case LocalDateTime:
		b = append64(append64(b, v.Seconds), int64(v.Nanos))
	case DateTime:
		b = append64(append64(append64(b, v.Seconds), int64(v.Nanos)), int64(v.Offset))
		b = appendText(b, v.Zone)
	case Duration:
		b = append64(append64(append64(append64(b, v.Months), v.Days), v.Seconds), int64(v.Nanos))
	case Point:
		b = append64(b, int64(v.SRID))
		b = appendFloat(appendFloat(appendFloat(b, v.X), v.Y), v.Z)
	case []Value:
		b = binary.AppendUvarint(b, uint64(len(v)))
		for _, e := range v {
			b = appendValue(b, e)
		}
	default:
		// No store returns such a value. If one did, a change of it must still change the revision.
		b = appendText(b, fmt.Sprintf("%T %#v", v, v))
	}
	return b
}

func append64(b []byte, n int64) []byte { return binary.BigEndian.AppendUint64(b, uint64(n)) }

func appendFloat(b []byte, f float64) []byte {
	if f != f {
		f = math.NaN() // all NaNs are equal, as in EqualValues
	}
	return binary.BigEndian.AppendUint64(b, math.Float64bits(f))
}
