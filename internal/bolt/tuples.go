package bolt

// BatchRows are the rows of a batch statement, one map for each call.
type BatchRows []map[string]any

// Tuple is a row of a statement that collects its rows into one list, which costs the server and the driver far less than a record for
// each.
type Tuple []any

// Text is the string in a column; empty if there is none.
func (t Tuple) Text(i int) string {
	s, _ := t[i].(string)
	return s
}

// Integer is the integer in a column; zero if there is none.
func (t Tuple) Integer(i int) int64 {
	n, _ := t[i].(int64)
	return n
}

// List is the list in a column; nil if there is none.
func (t Tuple) List(i int) []any {
	l, _ := t[i].([]any)
	return l
}

// Properties are the map in a column; nil if there is none.
func (t Tuple) Properties(i int) map[string]any {
	p, _ := t[i].(map[string]any)
	return p
}

// CollectTuples are the rows of a statement that collects them into one list, or a few.
func CollectTuples(records []*Record, err error) ([]Tuple, error) {
	if err != nil {
		return nil, err
	}
	var out []Tuple
	for _, r := range records {
		for _, row := range Column[[]any](r, "rows") {
			t, _ := row.([]any)
			out = append(out, t)
		}
	}
	return out, nil
}
