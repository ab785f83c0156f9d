package graph

import (
	"context"
	"sync"
)

// Bookmarks are what a database says after a write, in its own words: a read that is given them sees at least what it had written.
// They matter where several servers hold copies of the data.
type Bookmarks []string

type (
	bookmarksKey struct{}
	recorderKey  struct{}
)

// WithBookmarks returns a context whose reads see at least what bookmarks stand for. A bookmark that the database cannot reach ends in
// DATABASE_TIMEOUT, one that it cannot read is a VALIDATION_ERROR naming BookmarkHeader.
func WithBookmarks(ctx context.Context, b Bookmarks) context.Context {
	return context.WithValue(ctx, bookmarksKey{}, b)
}

// BookmarksFrom are the bookmarks that a context's reads come after.
func BookmarksFrom(ctx context.Context) Bookmarks {
	b, _ := ctx.Value(bookmarksKey{}).(Bookmarks)
	return b
}

// BookmarkHeader is how clients hand bookmarks to and fro.
const BookmarkHeader = "Graphrest-Bookmark"

// BookmarkRecorder is where the writes of a context left the database. It is safe for concurrent use, and so is nil, which forgets.
type BookmarkRecorder struct {
	mu     sync.Mutex
	latest Bookmarks
}

// WithBookmarkRecorder returns a context whose writes are marked.
func WithBookmarkRecorder(ctx context.Context, m *BookmarkRecorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, m)
}

// BookmarkRecorderFrom is the mark of a context; nil where nobody asked for one.
func BookmarkRecorderFrom(ctx context.Context) *BookmarkRecorder {
	m, _ := ctx.Value(recorderKey{}).(*BookmarkRecorder)
	return m
}

// Set keeps the bookmarks of a write. Writes of one mark come one after another, so that the last stands for all.
func (m *BookmarkRecorder) Set(b Bookmarks) {
	if m == nil || len(b) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latest = b
}

// Latest are the bookmarks of the last write; empty when there was none.
func (m *BookmarkRecorder) Latest() Bookmarks {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.latest
}
