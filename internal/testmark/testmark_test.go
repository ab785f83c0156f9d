package testmark

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunsOmitTestsByTheirMarkers(t *testing.T) {
	for name, c := range map[string]struct {
		choice  choice
		marker  string
		omitted bool
	}{
		"all tests":                         {choice{}, long, false},
		"without long tests":                {choice{long: "no"}, long, true},
		"without long tests, another":       {choice{long: "no"}, concurrent, false},
		"a day that is no number":           {choice{long: "monday"}, long, true},
		"without a marker":                  {choice{without: concurrent}, concurrent, true},
		"without a marker, another":         {choice{without: concurrent}, everyRelease, false},
		"without two markers":               {choice{without: concurrent + "," + everyRelease}, everyRelease, true},
		"without some of a marker":          {choice{without: everyRelease + "/3", long: "20000"}, everyRelease, false},
		"only a marker":                     {choice{only: everyRelease}, everyRelease, false},
		"only a marker, without long tests": {choice{only: everyRelease, long: "no"}, long, true},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.omitted, c.choice.omit("TestX", c.marker) != "") })
	}
}

func TestEveryLongTestRunsOnOneDayOfSeven(t *testing.T) {
	for i := range 100 {
		name, days := "Test"+strconv.Itoa(i), 0
		for day := 20_000; day < 20_000+Days; day++ {
			if (choice{long: strconv.Itoa(day)}).omit(name, long) == "" {
				days++
			}
		}
		require.Equal(t, 1, days, name)
	}
}

func TestWhatRunsInTurnsRunsOnOneOfItsDays(t *testing.T) {
	marked := func(markers ...string) func(string) bool {
		return func(marker string) bool { return slices.Contains(markers, marker) }
	}
	for i := range 100 {
		name, days, turns := "Test"+strconv.Itoa(i), 0, 0
		for day := 20_000; day < 20_003; day++ {
			c := choice{only: everyRelease + "/3", long: strconv.Itoa(day)}
			require.NotEmpty(t, c.leaveOut(name, marked(concurrent)))
			require.Empty(t, c.leaveOut(name, marked(everyRelease, long)), "its day of seven is enough")
			require.Equal(t, c.leaveOut(name, marked(everyRelease)), c.leaveOut(name+"/part", marked(everyRelease)))
			if c.leaveOut(name, marked(everyRelease)) == "" {
				days++
			}
			if c.isTurn(name, 3) {
				turns++
			}
			rest := choice{without: concurrent + "," + everyRelease + "/3", long: c.long}
			require.NotEqual(t, c.leaveOut(name, marked(everyRelease)) == "", rest.leaveOut(name, marked(everyRelease)) == "")
			require.Empty(t, rest.leaveOut(name, marked(everyRelease, long)))
			require.Empty(t, rest.leaveOut(name, marked()))
			rest.long = ""
			require.Empty(t, rest.leaveOut(name, marked(everyRelease)), "without the number of a day")
		}
		require.Equal(t, 1, days, name)
		require.Equal(t, 1, turns, name)
		require.True(t, choice{}.isTurn(name, 3), "without the number of a day")
		require.True(t, choice{long: "no"}.isTurn(name, 3), "without the number of a day")
	}
	require.NotEmpty(t, choice{only: everyRelease + "/x"}.leaveOut("Test", marked(everyRelease)))
}

func TestAMarkerHoldsForSubtests(t *testing.T) {
	Concurrent(t)
	require.True(t, has(t.Name()+"/a/b", concurrent))
	require.False(t, has(t.Name()+"2", concurrent))
	require.False(t, has(t.Name(), everyRelease))
}
