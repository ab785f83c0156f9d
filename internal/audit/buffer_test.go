package audit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// page is a Recorder that keeps entries in memory, or fails.
type page struct {
	entries []Entry
	fails   error
	during  func()
}

func (p *page) Record(_ context.Context, entries []Entry) error {
	if p.during != nil {
		p.during()
	}
	if p.fails == nil {
		p.entries = append(p.entries, entries...)
	}
	return p.fails
}

func total(entries []Entry) (sum int64) {
	for _, e := range entries {
		sum += e.Count
	}
	return sum
}

func refusedFrom(address, request string) Entry {
	return Entry{Actor: Actor{Address: address, RequestID: request}, Action: Login, Kind: Session, Code: "INVALID_CREDENTIALS"}
}

func TestRefusalsOfAKindAreOneEntry(t *testing.T) {
	testmark.Concurrent(t)
	to := &page{}
	b := NewBuffer(to, nil, slog.New(slog.DiscardHandler))
	for i := range 1000 {
		b.AddRefusal(refusedFrom("192.0.2.1", fmt.Sprint("r", i)))
	}
	b.AddRefusal(refusedFrom("192.0.2.2", "other"))
	b.Flush(t.Context())
	b.Flush(t.Context())
	require.Len(t, to.entries, 2)
	require.Equal(t, int64(1000), to.entries[0].Count)
	require.Equal(t, "r0", to.entries[0].Actor.RequestID)
	require.Equal(t, Refused, to.entries[0].Outcome)
	require.Equal(t, int64(1), to.entries[1].Count)
}

// Requests from ever new addresses cannot fill the database: the entries are bounded, and every refusal is counted.
func TestRefusalsAreBounded(t *testing.T) {
	testmark.Concurrent(t)
	now := time.Unix(1_800_000_000, 0)
	to := &page{}
	b := NewBuffer(to, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	const each, hours = 100_000, 3
	for h := range hours {
		for i := range each {
			b.AddRefusal(refusedFrom(fmt.Sprint(h, "-", i), "r"))
		}
		b.Flush(t.Context())
		now = now.Add(time.Hour)
	}
	require.Equal(t, int64(each*hours), total(to.entries))
	require.LessOrEqual(t, len(to.entries), hours*(refusalBurst+1))
	require.GreaterOrEqual(t, len(to.entries), refusalBurst)
}

func TestTheRestIsWrittenNowAndThen(t *testing.T) {
	testmark.Concurrent(t)
	now := time.Unix(1_800_000_000, 0)
	to := &page{}
	b := NewBuffer(to, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	for range 120 { // ten minutes of flushes
		for i := range refusalBurst {
			b.AddRefusal(refusedFrom(fmt.Sprint(now.Unix(), "-", i), "r"))
		}
		b.writeGroups(t.Context(), b.dueKeys())
		now = now.Add(flushEvery)
	}
	b.Flush(t.Context())
	require.Equal(t, int64(120*refusalBurst), total(to.entries))
	require.LessOrEqual(t, len(to.entries), refusalBurst+int(10*time.Minute/refusalRefill)+11)
}

func TestRefusalsOutliveAFailedWrite(t *testing.T) {
	testmark.Concurrent(t)
	to := &page{fails: errors.New("away")}
	b := NewBuffer(to, nil, slog.New(slog.DiscardHandler))
	b.AddRefusal(refusedFrom("192.0.2.1", "first"))
	b.Flush(t.Context())
	to.fails = nil
	to.during = func() { b.AddRefusal(refusedFrom("192.0.2.1", "meanwhile")) }
	b.Flush(t.Context())
	to.during = nil
	b.Flush(t.Context())
	require.Equal(t, int64(2), total(to.entries))
	require.Empty(t, b.pending)
	require.Empty(t, b.order)
}

// For a user who logs in all the time, the first logins and then one per minute are written immediately; the others are counted.
func TestLoginsOfAUserAreBounded(t *testing.T) {
	testmark.Concurrent(t)
	now := time.Unix(1_800_000_000, 0)
	to := &page{}
	b := NewBuffer(to, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	login := func(user string, i int) Entry {
		from := Actor{User: user, UserID: user, Address: fmt.Sprint("198.51.100.", i%250)}
		return Entry{Actor: from, Action: Login, Kind: Session, Outcome: Done, Entity: fmt.Sprint("token", i), Count: 1}
	}
	const minutes, each = 60, 100
	for m := range minutes {
		for i := range each {
			require.NoError(t, b.WriteLogin(t.Context(), login("ann", m*each+i)))
		}
		b.writeGroups(t.Context(), b.dueKeys())
		now = now.Add(time.Minute)
	}
	require.NoError(t, b.WriteLogin(t.Context(), login("bob", 1)))
	require.Equal(t, "token1", to.entries[len(to.entries)-1].Entity, "logins of other users are written immediately")
	require.Equal(t, "token0", to.entries[0].Entity)
	b.Flush(t.Context())
	require.Equal(t, int64(minutes*each+1), total(to.entries))
	require.LessOrEqual(t, len(to.entries), loginBurst+2*minutes+2)
	for _, e := range to.entries {
		require.Equal(t, Done, e.Outcome)
	}
	now = now.Add(time.Hour)
	require.NoError(t, b.WriteLogin(t.Context(), login("cid", 1)))
	require.Len(t, b.logins, 1, "users without recent logins are removed")
}

// A login that cannot be written is an error if it is written individually.
func TestAFailedWriteOfALoginIsAnError(t *testing.T) {
	testmark.Concurrent(t)
	b := NewBuffer(&page{fails: errors.New("away")}, nil, slog.New(slog.DiscardHandler))
	require.Error(t, b.WriteLogin(t.Context(), Entry{Actor: Actor{UserID: "ann"}}))
}

func TestNoBookWritesNothing(t *testing.T) {
	testmark.Concurrent(t)
	var b *Buffer
	b.AddRefusal(Entry{})
	b.Flush(t.Context())
	b.Run(t.Context())
	require.NoError(t, b.Write(t.Context(), Entry{}))
}

func TestActorTravelsInTheContext(t *testing.T) {
	testmark.Concurrent(t)
	require.Equal(t, Actor{}, ActorFrom(t.Context()))
	ann := Actor{User: "ann", UserID: "1", RequestID: "r", Address: "192.0.2.1"}
	require.Equal(t, ann, ActorFrom(WithActor(t.Context(), ann)))
}
