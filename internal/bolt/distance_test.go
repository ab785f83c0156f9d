package bolt

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDistance(t *testing.T) {
	var d distance
	start := time.Now()
	at := func(after time.Duration) time.Time { return start.Add(after) }
	require.Zero(t, d.at(start), "nothing is known yet")

	d.record(5*time.Millisecond, at(time.Second))
	d.record(90*time.Millisecond, at(2*time.Second))
	require.Equal(t, 5*time.Millisecond, d.at(at(3*time.Second)), "a slow statement says nothing about the distance")

	d.record(40*time.Millisecond, at(12*time.Second))
	require.Equal(t, 5*time.Millisecond, d.at(at(13*time.Second)), "the last window counts")
	d.record(2*time.Millisecond, at(14*time.Second))
	require.Equal(t, 2*time.Millisecond, d.at(at(15*time.Second)), "the database is nearer than before")
	d.record(30*time.Millisecond, at(26*time.Second))
	d.record(30*time.Millisecond, at(37*time.Second))
	require.Equal(t, 30*time.Millisecond, d.at(at(38*time.Second)), "the database has moved away")
	require.Zero(t, d.at(at(70*time.Second)), "what was long ago says nothing")

	d.record(3*time.Millisecond, at(100*time.Second))
	require.Equal(t, 3*time.Millisecond, d.at(at(119*time.Second)))
	require.Zero(t, d.at(at(120*time.Second)), "a late question does not make a window longer")
}
