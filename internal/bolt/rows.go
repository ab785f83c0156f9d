package bolt

import (
	"context"

	"graphrest/cypher"
)

// ReadRows runs a statement of a list or of the schema. Its errors are those of TranslateUnlessForbidden.
func (c *Client) ReadRows(ctx context.Context, text cypher.Text, params map[string]any) ([]*Record, error) {
	records, err := c.Read(ctx, text, params)
	return records, TranslateUnlessForbidden(err)
}

// ReadCount runs a statement that returns one number named total.
func (c *Client) ReadCount(ctx context.Context, text cypher.Text, params map[string]any) (int64, error) {
	records, err := c.ReadRows(ctx, text, params)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	return Column[int64](records[0], "total"), nil
}

// TranslateUnlessForbidden is Translate for the statement of a list. An error that the database rejected the statement remains: the caller
// may run another statement, or name the condition that caused it.
func TranslateUnlessForbidden(err error) error {
	if err != nil && !IsForbidden(err) {
		err = Translate(err)
	}
	return err
}
