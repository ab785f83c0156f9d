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

// Kind tells nodes from edges where one piece of code serves both.
type Kind string

// Kinds.
const (
	NodeKind Kind = "node"
	EdgeKind Kind = "edge"
)

// Adopter gives ids to entities that others made, and takes them back. It writes nothing but the id property, and only to
// entities that do not hold it.
type Adopter interface {
	// Adoptable says what there is to adopt, in the order in which it would be: the types named, all when none is. A name
	// stands for the node type and the edge type of that name. VALIDATION_ERROR: a type that nothing has.
	Adoptable(ctx context.Context, types []string) ([]Adoption, error)
	// Adopt gives every entity of a type an id that does not hold the id property, batch entities in one transaction, and
	// tells progress after each. What was done stays done when it fails or is cancelled; the next call goes on there.
	// CONFLICT: the type cannot be managed, since ids in it are not unique or an index is in the way; nothing was written.
	Adopt(ctx context.Context, a Adoption, batch int, progress func(given int64)) (given int64, err error)
	// Adopted lists the runs of adopt that can be taken back, the last first, of the types named or all.
	Adopted(ctx context.Context, types []string) ([]AdoptionRun, error)
	// Undo takes the ids of one run back, and the type's constraint too if that run made it and no id is left in the type.
	Undo(ctx context.Context, r AdoptionRun, batch int, progress func(taken int64)) (taken int64, err error)
}

// Adoption is one type whose entities can be given ids.
type Adoption struct {
	Kind    Kind
	Type    string
	Count   int64
	Missing int64 // entities that do not hold the id property
	Managed bool
}

// AdoptionRun is one run of adopt on one type, as it is kept with the internal data. Its ids end with Tag.
type AdoptionRun struct {
	Tag        string
	Kind       Kind
	Type       string
	Constraint bool // the run made the type's constraint
}

// adoptionTag is how many bytes of an id tell the run of adopt that gave it.
const adoptionTag = 6

// AdoptionIDs makes the ids that one run of adopt gives. Each is a UUIDv7 as NewID makes it, whose last 48 bits are the
// same throughout the run, so that what adopt gave can be told from what others wrote without a mark on anybody's data: an
// id that another made has the tag by chance once in 2^48. Before the tag go the 14 bits that are left of rand_b, a counter, so that
// no two ids of a run are equal. It is not safe for concurrent use.
type AdoptionIDs struct {
	tag     [adoptionTag]byte
	hint    uint16
	milli   int64
	counter uint16
}

// counterBits is what is left of the 62 bits rand_b beside the tag.
const counterBits = 62 - 8*adoptionTag

// NewAdoptionIDs draws a tag for a run on a type.
func NewAdoptionIDs(typ string) *AdoptionIDs {
	ids := &AdoptionIDs{hint: TypeHint(typ)}
	_, _ = rand.Read(ids.tag[:]) // never fails (crypto/rand)
	return ids
}

// Tag is the end of every id of the run.
func (a *AdoptionIDs) Tag() string { return hex.EncodeToString(a.tag[:]) }

// Next makes an id. Ids grow, also when the clock goes back.
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
