package typedjson

import (
	"math"
	"strconv"
	"strings"

	"graphrest/internal/graph"
)

// numberPrefix returns the length of the longest JSON number that s starts with, 0 for none, and whether it is a float, that
// is, has a fraction or an exponent.
func numberPrefix(s string) (length int, float bool) {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	n := countDigits(s[i:])
	if n == 0 || n > 1 && s[i] == '0' {
		return 0, false
	}
	i += n
	if i < len(s) && s[i] == '.' {
		n := countDigits(s[i+1:])
		if n == 0 {
			return 0, false
		}
		i += 1 + n
		float = true
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		n := countDigits(s[i:])
		if n == 0 {
			return 0, false
		}
		i += n
		float = true
	}
	return i, float
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// parseNumber decodes a JSON number.
func parseNumber(text string) (graph.Value, string) {
	if !strings.ContainsAny(text, ".eE") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, "an integer must be between -9223372036854775808 and 9223372036854775807"
		}
		return n, ""
	}
	f, reason := parseFloat(text)
	if reason != "" {
		return nil, reason
	}
	return f, ""
}

// parseFloat decodes a JSON number as a float. A number too close to zero for a float becomes zero.
func parseFloat(text string) (float64, string) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, "is too large for a 64-bit float"
	}
	return f, ""
}

func parseFloatTag(text string) (graph.Value, string) {
	f, reason := parseFloatText(text)
	if reason != "" {
		return nil, reason
	}
	return f, ""
}

// parseFloatText decodes the format of appendFloatText: a JSON number, NaN or an infinity.
func parseFloatText(text string) (float64, string) {
	switch text {
	case "NaN":
		return math.NaN(), ""
	case "Infinity":
		return math.Inf(1), ""
	case "-Infinity":
		return math.Inf(-1), ""
	}
	if n, _ := numberPrefix(text); n == 0 || n != len(text) {
		return 0, `a Float must be a decimal number, "NaN", "Infinity" or "-Infinity"`
	}
	return parseFloat(text)
}
