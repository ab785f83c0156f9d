package snapshot_test

import (
	"context"
	"fmt"
	"time"

	"graphrest/internal/snapshot"
)

// A value is read again when it is too old for a caller, or when its owner knows that it has changed.
func ExampleSnapshot() {
	reads := 0
	names := snapshot.New(func(context.Context) (*[]string, error) {
		reads++
		return &[]string{"Person", "Film"}, nil
	}, snapshot.Options{})
	ctx := context.Background()
	value, _ := names.Get(ctx)
	_, _ = names.Get(ctx)
	fmt.Println(*value, reads)
	names.Expire()
	_, _ = names.Fresh(ctx, time.Hour)
	fmt.Println(reads)
	// Output:
	// [Person Film] 1
	// 2
}
