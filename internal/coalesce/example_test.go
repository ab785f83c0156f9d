package coalesce_test

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"graphrest/internal/coalesce"
)

// Calls that arrive while a batch runs share the next one.
func ExampleGroup() {
	running, proceed := make(chan bool), make(chan bool)
	group := coalesce.New(coalesce.Options[string]{Lanes: 1}, func(_ context.Context, words []string) []coalesce.Outcome[string] {
		if words[0] == "first" {
			close(running)
			<-proceed
		}
		out := make([]coalesce.Outcome[string], len(words))
		for i, word := range words {
			out[i].Value = strings.ToUpper(word)
		}
		return out
	})
	defer group.Close()

	var calls sync.WaitGroup
	calls.Go(func() {
		answer, err := group.Do(context.Background(), "first")
		fmt.Println(answer, err)
	})
	<-running
	close(proceed)
	calls.Wait()
	answer, err := group.Do(context.Background(), "second")
	fmt.Println(answer, err)
	// Output:
	// FIRST <nil>
	// SECOND <nil>
}
