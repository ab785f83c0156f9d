package gatewaytest

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

func TestConcurrentWritesAreAllCollected(t *testing.T) {
	testmark.Concurrent(t)
	var b LogBuffer
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 100 {
				_, _ = fmt.Fprintln(&b, "a line")
				_ = b.String()
			}
		})
	}
	writers.Wait()
	require.Equal(t, strings.Repeat("a line\n", 800), b.String())
}

func TestAwait(t *testing.T) {
	testmark.Concurrent(t)
	pattern := regexp.MustCompile(`port (\d+)`)
	for _, test := range []struct {
		name    string
		write   []string
		ends    bool
		timeout time.Duration
		want    []string
	}{
		{name: "written in parts", write: []string{"the po", "rt 80", "\n"}, timeout: time.Minute, want: []string{"port 80", "80"}},
		{name: "the writer ends after it", write: []string{"port 8"}, ends: true, timeout: time.Minute, want: []string{"port 8", "8"}},
		{name: "the writer ends without it", write: []string{"no"}, ends: true, timeout: time.Minute},
		{name: "never written", write: []string{"no"}, timeout: time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b LogBuffer
			ended := make(chan struct{})
			go func() {
				for _, text := range test.write {
					_, _ = b.Write([]byte(text))
				}
				if test.ends {
					close(ended)
				}
			}()
			require.Equal(t, test.want, b.Await(pattern, ended, test.timeout))
		})
	}
}
