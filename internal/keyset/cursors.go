package keyset

import (
	"encoding/binary"
	"hash/fnv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Position is where a page of a list ended: the last entity's type, and its key within the type. It names no entity, so it remains
// valid when that entity is deleted.
type Position struct {
	Query   uint32 // fingerprint of the query it belongs to
	Type    string // the type under which the entity was listed
	NoType  bool   // the entity is a node without labels
	Managed bool   // the type was managed when the page was read: the rest of the type keeps that order
	Own     bool   // key is the entity's own id, not an element id
	Key     string
}

const (
	positionVersion    = 2 // version 1 had other orders
	oldPositionVersion = 1

	flagNoType  = 1 << 0
	flagManaged = 1 << 1
	flagOwn     = 1 << 2
)

// Encode encodes a position in the form that a client receives:
//
//	version | flags | fingerprint, 4 bytes | length of the type as uvarint | type | key
func (p Position) Encode() graph.Position {
	var flags byte
	for flag, set := range map[byte]bool{flagNoType: p.NoType, flagManaged: p.Managed, flagOwn: p.Own} {
		if set {
			flags |= flag
		}
	}
	out := make([]byte, 0, 8+len(p.Type)+len(p.Key))
	out = append(out, positionVersion, flags)
	out = binary.BigEndian.AppendUint32(out, p.Query)
	out = binary.AppendUvarint(out, uint64(len(p.Type)))
	out = append(out, p.Type...)
	return append(out, p.Key...)
}

// DecodePosition decodes a position; nil returns nil. A position that is malformed, or belongs to another query, is a VALIDATION_ERROR
// about "cursor".
func DecodePosition(position graph.Position, query uint32) (*Position, error) {
	if position == nil {
		return nil, nil
	}
	malformed := fault.Invalid("cursor", "is not a cursor of this service")
	if len(position) > 0 && position[0] == oldPositionVersion {
		return nil, fault.Invalid("cursor", "was created by an earlier version of this service; start again from the first page")
	}
	if len(position) < 7 || position[0] != positionVersion || position[1] > flagNoType|flagManaged|flagOwn {
		return nil, malformed
	}
	flags, rest := position[1], position[6:]
	size, read := binary.Uvarint(rest)
	if read <= 0 || size > uint64(len(rest)-read) {
		return nil, malformed
	}
	rest = rest[read:]
	p := &Position{
		Query:   binary.BigEndian.Uint32(position[2:6]),
		Type:    string(rest[:size]),
		NoType:  flags&flagNoType != 0,
		Managed: flags&flagManaged != 0,
		Own:     flags&flagOwn != 0,
		Key:     string(rest[size:]),
	}
	if !p.Own && NumberOrNone(p.Key) < 0 {
		return nil, malformed
	}
	if p.Key == "" || p.NoType != (p.Type == "") || (p.Own && p.NoType) {
		return nil, malformed
	}
	if p.Query != query {
		return nil, fault.Invalid("cursor", "belongs to another query")
	}
	return p, nil
}

// Fingerprint is a hash of the parts that distinguish queries. It detects accidental misuse; the HTTP side signs cursors.
func Fingerprint(parts ...string) uint32 {
	h := fnv.New32a()
	for _, part := range parts {
		_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		_, _ = h.Write([]byte(part))
	}
	return h.Sum32()
}
