package neo4jstore

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// sharedPages reads equal pages of a list once for all requests that ask for them at the same time. Its zero value is ready for use.
type sharedPages[T any] struct {
	off   bool // every page is read alone
	reads coalesce.SharedReads[pageRead[T]]
}

// pageRead is a page and the bytes that it takes of a budget.
type pageRead[T any] struct {
	page  graph.Page[T]
	bytes int64
}

// do returns the page that read returns. Only requests that see everything share pages, and none that has to follow a bookmark.
func (p *sharedPages[T]) do(ctx context.Context, key string, read func(context.Context) (graph.Page[T], error)) (graph.Page[T], error) {
	if p.off || !rules.ViewOf(ctx).AllowsAll(rules.Read) || len(graph.BookmarksFrom(ctx)) > 0 {
		return read(ctx)
	}
	got, sharing, err := p.reads.Do(ctx, key, func(ctx context.Context) (pageRead[T], bool, error) {
		budget := countedBudget{ctx: ctx}
		page, err := read(graph.WithByteBudget(ctx, &budget))
		return pageRead[T]{page, budget.taken.Load()}, budget.refused.Load(), err
	})
	if err == nil && sharing == coalesce.Joined {
		err = graph.TakeBytes(ctx, got.bytes)
	}
	if err != nil {
		return graph.Page[T]{}, bolt.Translate(err) // of a request that waited, its context's
	}
	if sharing != coalesce.Alone {
		got.page.Items = slices.Clone(got.page.Items)
	}
	return got.page, nil
}

// countedBudget counts what is taken of the budget of a context.
type countedBudget struct {
	ctx     context.Context
	taken   atomic.Int64
	refused atomic.Bool
}

// Take implements graph.ByteBudget.
func (b *countedBudget) Take(bytes int64) error {
	err := graph.TakeBytes(b.ctx, bytes)
	if err == nil {
		b.taken.Add(bytes)
	} else {
		b.refused.Store(true)
	}
	return err
}

func nodePageKey(q graph.NodeQuery, conditions string) string {
	return fmt.Sprintf("%q %s %s", q.Type, pagingKey(q.Paging), conditions)
}

func edgePageKey(q graph.EdgeQuery, conditions string) string {
	return fmt.Sprintf("%q %t %s", edgeSelection(q, conditions), q.Ends, pagingKey(q.Paging))
}

func pagingKey(p graph.Paging) string {
	return fmt.Sprintf("%d %d %t %q", p.Limit, p.Offset, p.Count, p.After)
}
