package httpapi

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTraceparent(t *testing.T) {
	const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for given, id := range map[string]string{
		good: "4bf92f3577b34da6a3ce929d0e0e4736", "": "", "00-00000000000000000000000000000000-00f067aa0ba902b7-01": "",
		"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01": "", "ff" + good[2:]: "", good + "x": "", good[:54]: "",
		"00-4bf92f3577b34da6a3ce929d0e0e4736\n00f067aa0ba902b7-01": "",
	} {
		require.Equal(t, id, parseTraceparent([]string{given}), "%q", given)
	}
	require.Empty(t, parseTraceparent(nil))
	require.Empty(t, parseTraceparent([]string{good, good}))
}

// The logged trace id is hexadecimal for any input.
func FuzzTraceparent(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e473\n-00f067aa0ba902b7-01")
	form := regexp.MustCompile(`^([0-9a-f]{32})?$`)
	f.Fuzz(func(t *testing.T, text string) { require.Regexp(t, form, parseTraceparent([]string{text})) })
}
