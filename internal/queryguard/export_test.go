package queryguard

// CountColumns is how many columns the tokens of a RETURN have, and whether the text is accepted by itself.
func CountColumns(source string) (columns int, accepted bool) {
	if q := parseQuery(source, NewSeal(nil, nil), nil); len(q.refusals) > 0 {
		return 0, false
	}
	tokens, _, _ := tokenize(source)
	columns = 1
	for _, t := range tokens {
		if t.isSymbol(",") {
			columns++
		}
	}
	return columns, true
}
