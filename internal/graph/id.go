package graph

import (
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"graphrest/internal/fault"
)

// NewID generates the id of a new entity: a UUIDv7 (RFC 9562, section 5.7) whose 12 bits rand_a contain the TypeHint of its type.
// RFC 9562 lets an application fill these bits. They let a lookup try the right type first, without any state.
func NewID(t TypeName) (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	hint := TypeHint(string(t))
	id[6] = 0x70 | byte(hint>>8)
	id[7] = byte(hint)
	return id.String(), nil
}

// TypeHint returns 12 bits of the 32-bit FNV-1a hash of a type name.
func TypeHint(name string) uint16 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	s := h.Sum32()
	return uint16((s ^ s>>12 ^ s>>24) & 0xfff)
}

// HintOf returns the type hint in an id that has the form of a UUIDv7 in lower case; false for other ids. UUIDv7s of other programs
// contain random bits there: a hint decides which type a lookup tries first, not which types it is limited to.
func HintOf(id string) (uint16, bool) {
	if len(id) != 36 || id[14] != '7' {
		return 0, false
	}
	u, err := uuid.Parse(id)
	if err != nil || u.String() != id {
		return 0, false
	}
	return uint16(u[6]&0x0f)<<8 | uint16(u[7]), true
}

// elementIDPattern is the form of an element id in Neo4j 5 and later: 4 for a node, 5 for a relationship, the database's id, a number.
var elementIDPattern = regexp.MustCompile(`^[45]:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9]{1,18}$`)

// IsElementID reports whether an id has the form of an element id of that kind.
func IsElementID(k Kind, id string) bool {
	first := byte('4')
	if k == EdgeKind {
		first = '5'
	}
	return id != "" && id[0] == first && elementIDPattern.MatchString(id)
}

// HintsAt reports whether an id hints at a type.
func HintsAt(id string, t TypeName) bool {
	hint, hinted := HintOf(id)
	return hinted && hint == TypeHint(string(t))
}

// GivenIDProblem returns the problem with an id that a client chose for an entity of a kind, empty for none. An id must be usable in a
// path: "." and ".." are removed from paths (RFC 3986, section 5.2.4), also when they are escaped. Unless any form is allowed, it must be
// a UUID in its canonical form. An element id of the same kind passes here, since it is not stored as an id; one of the other kind would
// be stored like any text and is checked like it.
func GivenIDProblem(k Kind, id string, anyForm bool) string {
	switch {
	case id == "." || id == "..":
		return "must not be . or .., which cannot stand in a path"
	case strings.ContainsFunc(id, unicode.IsControl):
		return "must not contain control characters"
	case anyForm || IsElementID(k, id):
		return ""
	}
	if u, err := uuid.Parse(id); err != nil || u.String() != id {
		return "must be a UUID in lower case with hyphens; other ids need the permission edit"
	}
	return ""
}

// CheckNoID rejects the id property among the properties of a new entity.
func CheckNoID(p Properties, idProperty string) *fault.Error {
	if p[idProperty] == nil {
		return nil
	}
	return fault.Invalid(FieldPath("properties", idProperty), "is the id, which the service assigns")
}

// NoSuchEntity is the fault of an id that is the id of no entity of a kind.
func NoSuchEntity(k Kind) error { return fault.New(fault.NotFound, "There is no such "+string(k)) }

// NoSuchEnds is the fault of a new edge whose source or target does not exist; nil if both do.
func NoSuchEnds(source, target bool) error {
	var faults []*fault.Error
	if source {
		faults = append(faults, fault.Invalid("source_id", "there is no such node"))
	}
	if target {
		faults = append(faults, fault.Invalid("target_id", "there is no such node"))
	}
	return fault.Merge(faults...)
}

// FixedID is the fault of a change of the property of the ids, on an entity that has its id there.
func FixedID(idProperty string) *fault.Error {
	return fault.Invalid(FieldPath("properties", idProperty), "is the id and cannot be set or removed")
}
