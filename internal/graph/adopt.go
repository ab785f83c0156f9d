package graph

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"time"
)

// Kind distinguishes nodes from edges in code that serves both.
type Kind string

// Kinds.
const (
	NodeKind Kind = "node"
	EdgeKind Kind = "edge"
)

// Adopter gives ids to entities created by other programs, and removes them again. It writes only the id property, and
// only to entities without it.
type Adopter interface {
	// Adoptable lists the types that can be adopted, in the order of adoption: the types named, or all if none is named.
	// A name selects the node type and the edge type with that name. VALIDATION_ERROR: no entity has such a type.
	Adoptable(ctx context.Context, types []string) ([]Adoption, error)
	// Begin records a run of adopt on each of the types that is not managed and makes it managed, several at a time, and returns the
	// adoptions that Adopt continues, in order. After each new constraint the database plans all statements again, which every read waits
	// for: whoever adopts many types begins with all of them. A type that cannot be managed, because its ids are not unique or an index
	// conflicts, is left out, nothing is written for it, and refused is called with the CONFLICT. After another error no further type is
	// begun, and those that have begun are returned with it.
	Begin(ctx context.Context, all []Adoption, refused func(a Adoption, cause error)) (begun []Adoption, err error)
	// Adopt gives an id to every entity of a type without the id property, in transactions of batch entities, and calls
	// progress after each. It begins as Begin does, unless that was done. Completed transactions persist if it fails or is
	// cancelled; the next call continues there. CONFLICT: the type cannot be managed, or the run was undone meanwhile.
	Adopt(ctx context.Context, a Adoption, batch int, progress func(given int64)) (given int64, err error)
	// Adopted lists the runs of adopt that can be undone, the last first, of the types named or all.
	Adopted(ctx context.Context, types []string) ([]AdoptionRun, error)
	// Undo removes the ids of one run, which assigns no more from then on.
	Undo(ctx context.Context, r AdoptionRun, batch int, progress func(taken int64)) (taken int64, err error)
	// Forget removes the record of a run that Undo was called for, and the constraint of the type if that run created it and
	// no id is left in the type. A node of two types may have its id from the run of the other: whoever undoes several runs
	// removes the ids of all of them first. If ids are left and there are runs to undo, the record stays.
	Forget(ctx context.Context, r AdoptionRun) error
}

// Adoption is one type whose entities can be given ids.
type Adoption struct {
	Kind    Kind
	Type    string
	Count   int64
	Missing int64 // entities without the id property
	Managed bool
	// Run has the ids of the run that has begun; nil before.
	Run *AdoptionIDs
}

// AdoptionRun is one run of adopt on one type, as stored with the internal data. Its ids end with Tag.
type AdoptionRun struct {
	Tag        string
	Kind       Kind
	Type       string
	Constraint bool // the run created the constraint of the type
	Undone     bool // Undo was called for it
}

// adoptionTag is the number of bytes of an id that identify the run of adopt.
const adoptionTag = 6

// AdoptionIDs generates the ids of one run of adopt. Each is a UUIDv7 as NewID creates it, with the same last 48 bits
// throughout the run, so that the ids of a run can be recognized without marking the data: an id from another source has
// the tag by chance once in 2^48. The remaining 14 bits of rand_b before the tag are a counter, so that no two ids of a
// run are equal. It is not safe for concurrent use.
type AdoptionIDs struct {
	tag     [adoptionTag]byte
	hint    uint16
	milli   int64
	counter uint16
}

// counterBits is the number of the 62 bits of rand_b that are not used by the tag.
const counterBits = 62 - 8*adoptionTag

// NewAdoptionIDs generates a random tag for a run on a type.
func NewAdoptionIDs(typ string) *AdoptionIDs {
	ids := &AdoptionIDs{hint: TypeHint(typ)}
	_, _ = rand.Read(ids.tag[:]) // never fails (crypto/rand)
	return ids
}

// Tag returns the end of every id of the run.
func (a *AdoptionIDs) Tag() string { return hex.EncodeToString(a.tag[:]) }

// Next generates an id. Ids increase, even if the clock goes back.
func (a *AdoptionIDs) Next() string {
	switch now := time.Now().UnixMilli(); {
	case now > a.milli:
		a.milli, a.counter = now, 0
	case a.counter == math.MaxUint16>>(16-counterBits):
		a.milli, a.counter = a.milli+1, 0
	default:
		a.counter++
	}
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(a.milli)<<16|0x7000|uint64(a.hint))
	binary.BigEndian.PutUint16(id[8:10], 0x8000|a.counter)
	copy(id[10:], a.tag[:])
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
