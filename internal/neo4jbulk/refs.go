package neo4jbulk

import (
	"encoding/hex"
	"hash/maphash"
	"strconv"
	"strings"

	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// bulkRefs stores where the nodes of an import are, by ref and by id. An import may have a million nodes, so an entry has a few dozen bytes
// and no pointer: names are stored as 128 bits of hash (with seeds of the process, so that clients cannot produce collisions), element ids
// as their number, ids as the 16 bytes of a UUID.
type bulkRefs struct {
	seeds     [2]maphash.Seed
	prefix    string // of every element id of a node in this database
	locations map[bulkKey]nodeLocation
	otherIDs  map[bulkKey]string // ids that are not UUIDs
}

type bulkKey [2]uint64

// nodeLocation is where a node is and which id it has. line is the line that registered it.
type nodeLocation struct {
	number uint64
	own    [16]byte
	line   uint32
	form   idForm
}

type idForm uint8

const (
	noID idForm = iota
	uuidForm
	otherForm
)

func newBulkRefs() *bulkRefs {
	return &bulkRefs{
		seeds:     [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		locations: map[bulkKey]nodeLocation{}, otherIDs: map[bulkKey]string{},
	}
}

// The prefixes keep refs and ids apart.
func (b *bulkRefs) refKey(ref string) bulkKey { return b.key("r" + ref) }
func (b *bulkRefs) idKey(id string) bulkKey   { return b.key("i" + id) }

func (b *bulkRefs) key(name string) bulkKey {
	return bulkKey{maphash.String(b.seeds[0], name), maphash.String(b.seeds[1], name)}
}

// put stores a node under a name.
func (b *bulkRefs) put(key bulkKey, at neo4jentity.Reference, line int64) {
	number, err := keyset.NumberOf(at.ElementID)
	if err != nil {
		return // not an element id of Neo4j
	}
	b.prefix = at.ElementID[:strings.LastIndexByte(at.ElementID, ':')+1]
	location := nodeLocation{number: number, line: uint32(min(line, 1<<32-1))}
	switch own, isUUID := uuidBytes(at.Own); {
	case at.Own == "":
	case isUUID:
		location.own, location.form = own, uuidForm
	default:
		location.form = otherForm
		b.otherIDs[key] = at.Own
	}
	b.locations[key] = location
}

// get returns the node under a name, and the line that registered it.
func (b *bulkRefs) get(key bulkKey) (at neo4jentity.Reference, line int64, known bool) {
	location, known := b.locations[key]
	if !known {
		return neo4jentity.Reference{}, 0, false
	}
	at.ElementID = b.prefix + strconv.FormatUint(location.number, 10)
	switch location.form {
	case uuidForm:
		at.Own = uuidText(location.own)
	case otherForm:
		at.Own = b.otherIDs[key]
	}
	return at, int64(location.line), true
}

// elementSet is a set of the numbers of element ids, which are dense: one bit for each.
type elementSet map[uint64]*[elementPage / 64]uint64

const elementPage = 1 << 15

func (s elementSet) add(element string) {
	number, err := keyset.NumberOf(element)
	if err != nil {
		return
	}
	page := s[number/elementPage]
	if page == nil {
		page = new([elementPage / 64]uint64)
		s[number/elementPage] = page
	}
	page[number%elementPage/64] |= 1 << (number % 64)
}

func (s elementSet) has(element string) bool {
	number, err := keyset.NumberOf(element)
	if err != nil {
		return false
	}
	page := s[number/elementPage]
	return page != nil && page[number%elementPage/64]&(1<<(number%64)) != 0
}

// uuidBytes parses a UUID in its canonical form, in lower case: no other string has the same bytes.
func uuidBytes(text string) (id [16]byte, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return id, false
	}
	var digits [32]byte
	copy(digits[:], text[:8])
	copy(digits[8:], text[9:13])
	copy(digits[12:], text[14:18])
	copy(digits[16:], text[19:23])
	copy(digits[20:], text[24:])
	if _, err := hex.Decode(id[:], digits[:]); err != nil {
		return id, false
	}
	return id, uuidText(id) == text
}

func uuidText(id [16]byte) string {
	var text [36]byte
	hex.Encode(text[:8], id[:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
