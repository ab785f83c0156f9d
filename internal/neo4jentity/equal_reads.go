package neo4jentity

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/rules"
)

// ReadShared returns what read returns. Only requests that see everything share reads, so that nobody learns by the time of an answer what
// others ask for. own copies what a request may change of a result that others have as well.
func ReadShared[R any](
	ctx context.Context, s *bolt.SharedReads[R], key string, own func(R) R, read func(context.Context) (R, error),
) (R, error) {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return read(ctx)
	}
	result, shared, err := s.Do(ctx, key, read)
	if shared {
		result = own(result)
	}
	return result, err
}
