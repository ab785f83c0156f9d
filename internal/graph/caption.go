package graph

import (
	"slices"
	"strconv"
	"strings"
)

// captionNames are the properties that name an entity, the best first, in lower case.
var captionNames = []string{"name", "title", "label", "username", "caption", "email", "code", "key", "id"}

// Caption is the value of the property that names an entity; empty if none does. See End.
func (p Properties) Caption() string {
	best, caption := "", ""
	for key, value := range p {
		text := namingText(key, value)
		rank := captionRank(key) + key
		if text != "" && (caption == "" || rank < best) {
			best, caption = rank, text
		}
	}
	return ShortenCaption(caption)
}

// namingText is the text of a property that may name an entity: a string, or an integer of one of captionNames.
func namingText(key string, value Value) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case int64:
		if slices.Contains(captionNames, strings.ToLower(key)) {
			return strconv.FormatInt(v, 10)
		}
	}
	return ""
}

func captionRank(key string) string {
	name := strings.ToLower(key)
	switch i := slices.Index(captionNames, name); {
	case i >= 0:
		return strconv.Itoa(i)
	case strings.HasSuffix(name, "name"), strings.HasSuffix(name, "title"):
		return "n"
	default:
		return "t"
	}
}

// ShortenCaption trims a text and shortens it to MaxCaption characters.
func ShortenCaption(text string) string {
	text = strings.TrimSpace(text)
	if characters := []rune(text); len(characters) > MaxCaption {
		return string(characters[:MaxCaption-3]) + "..."
	}
	return text
}
