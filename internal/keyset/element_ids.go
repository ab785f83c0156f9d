package keyset

import (
	"strconv"
	"strings"
)

// SplitElementID splits an element id into its prefix, which the entities of one kind in a database share, and its number.
func SplitElementID(id string) (prefix string, number int64, ok bool) {
	i := strings.LastIndexByte(id, ':')
	number, err := strconv.ParseInt(id[i+1:], 10, 64)
	return id[:i+1], number, i > 0 && err == nil && number >= 0
}

// NumberOrNone is the number in an element id; -1, which is less than any, for another key.
func NumberOrNone(key string) int64 {
	if _, number, ok := SplitElementID(key); ok {
		return number
	}
	return -1
}

// NumberOf is the number in an element id, of whatever prefix.
func NumberOf(element string) (uint64, error) {
	return strconv.ParseUint(element[strings.LastIndexByte(element, ':')+1:], 10, 64)
}
