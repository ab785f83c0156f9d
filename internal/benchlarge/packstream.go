package benchlarge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// errShort reports that a message ends within a value.
var errShort = errors.New("packstream: the message is incomplete")

// packed reads values in PackStream, the encoding of Bolt's messages (Bolt protocol documentation, "PackStream").
type packed struct{ rest []byte }

// structure is a value with a tag: a message, or a value such as a date.
type structure struct {
	tag    byte
	fields []any
}

func (p *packed) take(n int) ([]byte, error) {
	if n < 0 || n > len(p.rest) {
		return nil, errShort
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken, nil
}

// number reads a big-endian unsigned number of the given size in bytes.
func (p *packed) number(size int) (uint64, error) {
	bytes, err := p.take(size)
	if err != nil {
		return 0, err
	}
	var padded [8]byte
	copy(padded[8-size:], bytes)
	return binary.BigEndian.Uint64(padded[:]), nil
}

// value reads one value: nil, bool, int64, float64, string, []byte, []any, map[string]any or structure.
func (p *packed) value() (any, error) {
	marker, err := p.number(1)
	if err != nil {
		return nil, err
	}
	low := int(marker & 0x0F)
	switch high := marker & 0xF0; {
	case marker <= 0x7F || marker >= 0xF0:
		return int64(int8(marker)), nil
	case high == 0x80:
		return p.text(low)
	case high == 0x90:
		return p.list(low)
	case high == 0xA0:
		return p.dictionary(low)
	case high == 0xB0:
		return p.structure(low)
	}
	return p.marked(marker)
}

// marked reads a value whose marker names its kind and the size of its length or number.
func (p *packed) marked(marker uint64) (any, error) {
	switch marker {
	case 0xC0:
		return nil, nil
	case 0xC1:
		bits, err := p.number(8)
		return math.Float64frombits(bits), err
	case 0xC2, 0xC3:
		return marker == 0xC3, nil
	case 0xC8, 0xC9, 0xCA, 0xCB:
		size := 1 << (marker - 0xC8)
		bits, err := p.number(size)
		shift := 64 - 8*size
		return int64(bits) << shift >> shift, err
	}
	const bytes8, dictionary32 = 0xCC, 0xDB // bytes, texts, lists and dictionaries, each with a length of 1, 2 or 4 bytes
	kind, exponent := marker&^3, marker&3
	if marker < bytes8 || marker > dictionary32 || exponent == 3 {
		return nil, fmt.Errorf("packstream: unknown marker %#x", marker)
	}
	size, err := p.number(1 << exponent)
	if err != nil {
		return nil, err
	}
	length := int(size)
	switch kind {
	case 0xCC:
		return p.take(length)
	case 0xD0:
		return p.text(length)
	case 0xD4:
		return p.list(length)
	}
	return p.dictionary(length)
}

func (p *packed) text(length int) (string, error) {
	bytes, err := p.take(length)
	return string(bytes), err
}

func (p *packed) list(length int) ([]any, error) {
	list := make([]any, 0, min(length, len(p.rest)))
	for range length {
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

func (p *packed) dictionary(length int) (map[string]any, error) {
	dictionary := make(map[string]any, min(length, len(p.rest)))
	for range length {
		key, err := p.value()
		if err != nil {
			return nil, err
		}
		name, isText := key.(string)
		if !isText {
			return nil, errors.New("packstream: a key is no text")
		}
		if dictionary[name], err = p.value(); err != nil {
			return nil, err
		}
	}
	return dictionary, nil
}

func (p *packed) structure(length int) (structure, error) {
	tag, err := p.number(1)
	if err != nil {
		return structure{}, err
	}
	fields, err := p.list(length)
	return structure{tag: byte(tag), fields: fields}, err
}
