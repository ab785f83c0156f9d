package journal

import "graphrest/internal/graph"

// FeedQuery selects changes of the feed. Empty members select all.
type FeedQuery struct {
	Since  string // id of a change or Next of a page; FeedStart for the oldest that is kept; empty for now
	Kind   graph.Kind
	Type   string // a label, or an edge's type
	Action Action
	Last   int // without Since: begins before so many changes that it selects, as far as they are among the last 5,000
	Limit  int
}

// FeedStart is the Since of a reader that wants every change that is kept.
const FeedStart = "0"

// FeedPage is a page of the feed, each record with Previous. It may be empty although there are more: Next goes past changes that the
// filter left out.
type FeedPage struct {
	Records []Record
	Next    string // the Since of the next page; never empty
	AtEnd   bool   // no further changes were visible when the page was read
}
