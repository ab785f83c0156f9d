package transfer

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/google/uuid"
)

// Key makes the ids of an import, so that an import with the same key and files finds what an earlier one has created.
type Key [sha256.Size]byte

// NewKey derives a key from a text that the user chose.
func NewKey(text string) Key { return sha256.Sum256([]byte(text)) }

// ID returns the id of the entity that a record of a file becomes: a UUID of version 8 (RFC 9562). The ids of an import follow each
// other, which suits an index.
func (k Key) ID(file uint16, record int64) string {
	var id uuid.UUID
	copy(id[:6], k[:6])
	binary.BigEndian.PutUint16(id[6:], 0x8000|file&0xfff)
	binary.BigEndian.PutUint32(id[8:], 0x80000000|uint32(record>>2)&0x3fffffff)
	binary.BigEndian.PutUint32(id[12:], uint32(record&3)<<30|binary.BigEndian.Uint32(k[6:])&0x3fffffff)
	return id.String()
}
