package keyset

import (
	"context"
)

// PageBytes counts the bytes of the entities read for one page of a list, whatever the number of statements. A page ends when they reach
// Config.MaxPageBytes.
type PageBytes struct {
	Read     int64
	Count    int  // entities read
	MinCount int  // entities that the page has room for whatever their size; at least one
	Full     bool // there are more entities, for which the page has no room
}

// IsFull reports whether the page has no room for one more entity.
func (p *PageBytes) IsFull(bound int64) bool { return p.Read >= bound && p.Count >= max(p.MinCount, 1) }

type pageBytesKey struct{}

// WithPageBytes returns a context whose statements together read one page.
func WithPageBytes(ctx context.Context) (context.Context, *PageBytes) {
	p := new(PageBytes)
	return context.WithValue(ctx, pageBytesKey{}, p), p
}

// PageBytesOf are the bytes of the page that a statement reads for; a statement that reads a page alone gets a separate count.
func PageBytesOf(ctx context.Context) *PageBytes {
	if p, shared := ctx.Value(pageBytesKey{}).(*PageBytes); shared {
		return p
	}
	return new(PageBytes)
}
