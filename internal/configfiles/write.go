package configfiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"graphrest/internal/transfer"
	"graphrest/internal/typedjson"
)

// Write writes a file for each object to a new directory, or an empty one, and returns how many. Read reads them.
func Write(directory string, s *Set) (files int, err error) {
	if entries, err := os.ReadDir(directory); err == nil && len(entries) > 0 {
		return 0, fmt.Errorf("%s is not empty; files that it has would stay", directory)
	}
	for _, k := range kinds {
		folder := filepath.Join(directory, k.folder)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return files, err
		}
		used := map[string]bool{}
		for _, o := range s.objects[k] {
			name := fileName(k.key(o), used)
			extension, text := ".json", k.format(o)
			if cypher, _ := o["cypher"].(string); cypher != "" {
				extension, text = ".cypher", formatQuery(o)
			}
			if err := os.WriteFile(filepath.Join(folder, name+extension), text, 0o600); err != nil {
				return files, err
			}
			files++
		}
	}
	return files, nil
}

// fileName is a name that every file system takes, and that no other object of the folder has.
func fileName(key string, used map[string]bool) string {
	plain := strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}, key)
	plain = plain[:min(len(plain), 100)]
	name := plain
	for n := 2; used[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d", plain, n)
	}
	used[strings.ToLower(name)] = true
	return name
}

// format writes the members in their order, without those that have the usual value.
func (k *kind) format(o object) []byte {
	var text bytes.Buffer
	separator := "{"
	add := func(name string) {
		encoded, _ := json.Marshal(name) // a name can be encoded
		fmt.Fprintf(&text, "%s%s:%s", separator, encoded, typedjson.AppendTree(nil, o[name]))
		separator = ","
	}
	for _, name := range k.identity {
		add(name)
	}
	for _, m := range k.members {
		if !m.inFiles && (m.loose && o[m.name] != nil || !m.loose && !reflect.DeepEqual(o[m.name], m.usual)) {
			add(m.name)
		}
	}
	text.WriteByte('}')
	var indented bytes.Buffer
	if json.Indent(&indented, text.Bytes(), "", "  ") != nil {
		return text.Bytes()
	}
	indented.WriteByte('\n')
	return indented.Bytes()
}

func formatQuery(o object) []byte {
	q := transfer.SavedQuery{Members: map[string]json.RawMessage{}}
	for name, value := range o {
		switch name {
		case "name":
			q.Name, _ = value.(string)
		case "cypher":
			q.Cypher, _ = value.(string)
		default:
			q.Members[name] = typedjson.AppendTree(nil, value)
		}
	}
	return []byte(transfer.FormatQueryFile(q))
}
