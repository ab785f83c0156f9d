package neo4jstore

import (
	"encoding/binary"
	"hash/fnv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// cursorPosition is where a page of a list ended: the last entity's type, and its key within the type. It names no entity, so it remains
// valid when that entity is deleted.
type cursorPosition struct {
	query   uint32 // fingerprint of the query it belongs to
	typ     string // the type under which the entity was listed
	noType  bool   // the entity is a node without labels
	managed bool   // the type was managed when the page was read: the rest of the type keeps that order
	own     bool   // key is the entity's own id, not an element id
	key     string
}

const (
	positionVersion    = 2 // version 1 had other orders
	oldPositionVersion = 1

	flagNoType  = 1 << 0
	flagManaged = 1 << 1
	flagOwn     = 1 << 2
)

// encode encodes a position in the form that a client receives:
//
//	version | flags | fingerprint, 4 bytes | length of the type as uvarint | type | key
func (p cursorPosition) encode() graph.Position {
	var flags byte
	for flag, set := range map[byte]bool{flagNoType: p.noType, flagManaged: p.managed, flagOwn: p.own} {
		if set {
			flags |= flag
		}
	}
	out := make([]byte, 0, 8+len(p.typ)+len(p.key))
	out = append(out, positionVersion, flags)
	out = binary.BigEndian.AppendUint32(out, p.query)
	out = binary.AppendUvarint(out, uint64(len(p.typ)))
	out = append(out, p.typ...)
	return append(out, p.key...)
}

// decodePosition decodes a position; nil returns nil. A position that is malformed, or belongs to another query, is a VALIDATION_ERROR
// about "cursor".
func decodePosition(position graph.Position, query uint32) (*cursorPosition, error) {
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
	p := &cursorPosition{
		query:   binary.BigEndian.Uint32(position[2:6]),
		typ:     string(rest[:size]),
		noType:  flags&flagNoType != 0,
		managed: flags&flagManaged != 0,
		own:     flags&flagOwn != 0,
		key:     string(rest[size:]),
	}
	if !p.own && numberOf(p.key) < 0 {
		return nil, malformed
	}
	if p.key == "" || p.noType != (p.typ == "") || (p.own && p.noType) {
		return nil, malformed
	}
	if p.query != query {
		return nil, fault.Invalid("cursor", "belongs to another query")
	}
	return p, nil
}

// fingerprint is a hash of the parts that distinguish queries. It detects accidental misuse; the HTTP side signs cursors.
func fingerprint(parts ...string) uint32 {
	h := fnv.New32a()
	for _, part := range parts {
		_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		_, _ = h.Write([]byte(part))
	}
	return h.Sum32()
}
