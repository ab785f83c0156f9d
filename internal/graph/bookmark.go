package graph

import (
	"context"
	"sync"
)

// Bookmarks are opaque values that a database returns after a write: a read with them sees at least that write. They
// matter if several servers have copies of the data.
type Bookmarks []string

type (
	bookmarksKey struct{}
	recorderKey  struct{}
)

// WithBookmarks returns a context whose reads see at least the writes of the bookmarks. A bookmark that the database
// does not reach in time is a DATABASE_TIMEOUT, an invalid one a VALIDATION_ERROR naming BookmarkHeader.
func WithBookmarks(ctx context.Context, b Bookmarks) context.Context {
	return context.WithValue(ctx, bookmarksKey{}, b)
}

// BookmarksFrom returns the bookmarks of a context.
func BookmarksFrom(ctx context.Context) Bookmarks {
	b, _ := ctx.Value(bookmarksKey{}).(Bookmarks)
	return b
}

// BookmarkHeader is the header in which clients send and receive bookmarks.
const BookmarkHeader = "Graphrest-Bookmark"

// BookmarkRecorder stores the bookmarks of the last write of a context. It is safe for concurrent use; nil is valid and
// stores nothing.
type BookmarkRecorder struct {
	mu     sync.Mutex
	latest Bookmarks
}

// WithBookmarkRecorder returns a context whose writes record their bookmarks.
func WithBookmarkRecorder(ctx context.Context, m *BookmarkRecorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, m)
}

// BookmarkRecorderFrom returns the recorder of a context, or nil.
func BookmarkRecorderFrom(ctx context.Context) *BookmarkRecorder {
	m, _ := ctx.Value(recorderKey{}).(*BookmarkRecorder)
	return m
}

// Set stores the bookmarks of a write. Writes of one recorder are sequential, so the last bookmarks cover all of them.
func (m *BookmarkRecorder) Set(b Bookmarks) {
	if m == nil || len(b) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latest = b
}

// Latest returns the bookmarks of the last write; empty if there was none.
func (m *BookmarkRecorder) Latest() Bookmarks {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.latest
}
