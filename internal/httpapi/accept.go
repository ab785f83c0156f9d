package httpapi

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// acceptance is what a header Accept says about a media type: the weight of the most specific range that includes it (RFC 9110, section
// 12.5.1), whose position is counted from the end. The zero value is not accepted.
type acceptance struct {
	weight      float64
	specificity int // 3: named; 2: type/*; 1: */*; 0: in no range
	position    int
}

// acceptanceOf returns how a media type is accepted. Ranges that are malformed are ignored.
func acceptanceOf(h http.Header, media string) (a acceptance) {
	ranges := strings.Split(strings.Join(h["Accept"], ","), ",")
	kind, _, _ := strings.Cut(media, "/")
	for i, text := range ranges {
		name, parameters, err := mime.ParseMediaType(text)
		weight := 1.0
		if q, given := parameters["q"]; given && err == nil {
			weight, err = strconv.ParseFloat(q, 64)
		}
		specificity := map[string]int{media: 3, kind + "/*": 2, "*/*": 1}[name]
		if err == nil && weight >= 0 && weight <= 1 && specificity > a.specificity {
			a = acceptance{weight, specificity, len(ranges) - i}
		}
	}
	return a
}

// isBetter reports whether one media type is to be answered instead of another: by the weight; then what is named goes before a range, and
// what stands first before what follows.
func (a acceptance) isBetter(other acceptance) bool {
	switch {
	case a.weight != other.weight:
		return a.weight > other.weight
	case a.specificity != other.specificity:
		return a.weight > 0 && a.specificity > other.specificity
	default:
		return a.weight > 0 && a.position > other.position
	}
}

// acceptedFormat is the format that a client accepts best; JSON if it accepts none, or others only as anything.
func acceptedFormat(h http.Header) answerFormat {
	format, best := jsonFormat, acceptanceOf(h, "application/json")
	offer := func(other answerFormat, media string) {
		if a := acceptanceOf(h, media); (a.specificity > 1 || best.weight == 0) && a.isBetter(best) {
			format, best = other, a
		}
	}
	offer(csvFormat, "text/csv")
	for _, media := range ndjsonMediaTypes {
		offer(ndjsonFormat, media)
	}
	return format
}

// asksFor reports whether a client names a media type and does not prefer JSON to it.
func asksFor(h http.Header, media string) bool {
	a := acceptanceOf(h, media)
	return a.specificity == 3 && a.weight > 0 && a.weight >= acceptanceOf(h, "application/json").weight
}
