package httpapi

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

func fieldsOf(faults []*fault.Error) []string {
	var fields []string
	for _, f := range faults {
		for _, d := range f.Details {
			fields = append(fields, d.Field)
		}
	}
	return fields
}

func TestParseQuery(t *testing.T) {
	known := []string{"type", "limit"}
	for _, c := range []struct {
		name, raw string
		want      queryParameters
		faults    []string
	}{
		{"nothing", "", nil, nil},
		{"two", "type=A&limit=5", queryParameters{{"type", "A"}, {"limit", "5"}}, nil},
		{"empty pairs do no harm", "&&type=A&", queryParameters{{"type", "A"}}, nil},
		{"a name without a value is empty", "type", queryParameters{{"type", ""}}, nil},
		{"plus is a space and escapes are undone", "type=a+b%2Bc%26", queryParameters{{"type", "a b+c&"}}, nil},
		{"an escaped name is that name", "%74ype=A", queryParameters{{"type", "A"}}, nil},
		{"unknown", "depth=1", nil, []string{"depth"}},
		{"another case is another name", "Type=A", nil, []string{"Type"}},
		{"twice", "type=A&type=A", queryParameters{{"type", "A"}}, []string{"type"}},
		{"twice in two spellings", "type=A&%74ype=B", queryParameters{{"type", "A"}}, []string{"type"}},
		{"malformed escapes, named once", "type=%zz&limit=%", nil, []string{"query"}},
		{"invalid UTF-8", "type=%ff", nil, []string{"query"}},
		{"a semicolon is no separator", "type=A;limit=5", nil, []string{"query"}},
		{"all problems together", "a=1&type=A&b=2&type=B", queryParameters{{"type", "A"}}, []string{"a", "b", "type"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, faults := parseQuery(c.raw, known, false)
			require.Equal(t, c.want, got)
			require.Equal(t, c.faults, fieldsOf(faults))
		})
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{"", "type=A", "type=%00&limit=1", "a=%F0%9F%98%80;b", "%", "&=&=="} {
		f.Add(seed)
	}
	known := []string{"type", "limit"}
	f.Fuzz(func(t *testing.T, raw string) {
		found, faults := parseQuery(raw, known, false)
		seen := map[string]bool{}
		for _, p := range found {
			require.Contains(t, known, p.name)
			require.True(t, utf8.ValidString(p.value))
			require.False(t, seen[p.name])
			seen[p.name] = true
		}
		for _, one := range faults {
			require.Equal(t, fault.Validation, one.Code)
		}
	})
}
