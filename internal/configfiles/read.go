package configfiles

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"graphrest/internal/transfer"
	"graphrest/internal/typedjson"
)

// Set is a configuration: objects by kind. A kind without a folder is not in it and stays as it is.
type Set struct {
	objects map[*kind][]object
}

// Read reads a directory with a folder for each kind. A file has one object or a list of them, in JSON or YAML; a query may also be a file
// of Cypher with a header. The error names every file that has a problem.
func Read(directory string) (*Set, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	s := &Set{objects: map[*kind][]object{}}
	var problems []error
	folders := strings.Join(Folders(), ", ")
	for _, entry := range entries {
		name := entry.Name()
		k := kindOf(name)
		switch {
		case entry.IsDir() && k != nil:
			problems = append(problems, s.readFolder(k, filepath.Join(directory, name)))
		case strings.HasPrefix(name, "."):
		case entry.IsDir():
			problems = append(problems, fmt.Errorf("%s: is no folder of configuration, which are %s", filepath.Join(directory, name), folders))
		case isObjectFile(name):
			problems = append(problems, fmt.Errorf("%s: belongs into one of the folders %s", filepath.Join(directory, name), folders))
		}
	}
	if len(s.objects) == 0 {
		problems = append(problems, fmt.Errorf("%s: has none of the folders %s", directory, folders))
	}
	return s, errors.Join(problems...)
}

// ReadQueries reads a directory of saved queries alone, as the folder of that kind in Read.
func ReadQueries(directory string) (*Set, error) {
	s := &Set{objects: map[*kind][]object{}}
	return s, s.readFolder(kindOf(queriesFolder), directory)
}

func isObjectFile(name string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml", ".cypher"}, filepath.Ext(name))
}

func (s *Set) readFolder(k *kind, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	s.objects[k] = []object{}
	files := map[string]string{} // by key
	var problems []error
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if entry.IsDir() || !isObjectFile(entry.Name()) {
			if !strings.HasPrefix(entry.Name(), ".") && filepath.Ext(entry.Name()) != ".md" {
				problems = append(problems, fmt.Errorf("%s: is neither a file .json or .yaml nor, of queries, .cypher", path))
			}
			continue
		}
		found, err := readObjects(k, path)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", path, err))
			continue
		}
		for _, o := range found {
			err := k.complete(o)
			switch other := files[k.key(o)]; {
			case err != nil:
				problems = append(problems, fmt.Errorf("%s: %w", path, err))
			case other != "":
				problems = append(problems, fmt.Errorf("%s: %s also has the %s %s", path, other, k.name, k.key(o)))
			default:
				files[k.key(o)] = path
				s.objects[k] = append(s.objects[k], o)
			}
		}
	}
	return errors.Join(problems...)
}

// readObjects reads the objects of a file.
func readObjects(k *kind, path string) ([]object, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the directory
	if err != nil {
		return nil, err
	}
	switch filepath.Ext(path) {
	case ".cypher":
		if k.folder != queriesFolder {
			return nil, errors.New("only queries have files of Cypher")
		}
		q, err := transfer.ParseQueryFile(strings.TrimSuffix(filepath.Base(path), ".cypher"), string(text))
		if err != nil {
			return nil, err
		}
		o, err := parseObject(q.JSON())
		return []object{o}, err
	case ".json":
	default:
		if text, err = yamlToJSON(text); err != nil {
			return nil, err
		}
	}
	tree, f := typedjson.ParseTree("", string(text))
	if f != nil {
		return nil, explain(f)
	}
	list, isList := tree.([]any)
	if !isList {
		list = []any{tree}
	}
	found := make([]object, len(list))
	for i, each := range list {
		members, isObject := each.(map[string]any)
		if !isObject {
			return nil, fmt.Errorf("must have an object, or a list of objects, each a %s", k.name)
		}
		found[i] = members
	}
	return found, nil
}

// yamlToJSON converts a file with one document.
func yamlToJSON(text []byte) ([]byte, error) {
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, err
	}
	if len(parsed.Docs) != 1 {
		return nil, fmt.Errorf("must have one YAML document, not %d; several objects are a list", len(parsed.Docs))
	}
	return yaml.YAMLToJSON(text)
}

func parseObject(text []byte) (object, error) {
	tree, f := typedjson.ParseTree("", string(text))
	if f != nil {
		return nil, explain(f)
	}
	members, isObject := tree.(map[string]any)
	if !isObject {
		return nil, errors.New("is no object")
	}
	return members, nil
}

// complete checks the members of an object of a file, gives those that it leaves out their usual values, and brings it into the form in
// which the gateway has it.
func (k *kind) complete(o object) error {
	for _, name := range k.identity {
		if text, isText := o[name].(string); !isText || text == "" {
			return fmt.Errorf("a %s needs the member %s, a text", k.name, name)
		}
	}
	for name := range o {
		if k.member(name) == nil && !slices.Contains(k.identity, name) {
			return fmt.Errorf("%s %s: %s is no member of a %s", k.name, k.key(o), name, k.name)
		}
	}
	for _, m := range k.members {
		_, given := o[m.name]
		switch {
		case given || m.loose || m.inFiles:
		case m.needed:
			return fmt.Errorf("%s %s: needs the member %s", k.name, k.key(o), m.name)
		default:
			o[m.name] = m.usual
		}
	}
	if err := k.normalize(o); err != nil {
		return fmt.Errorf("%s %s: %w", k.name, k.key(o), explain(err))
	}
	return nil
}

// normalize makes objects that mean the same equal.
func (k *kind) normalize(o object) error {
	if k.canonical != nil {
		if err := k.canonical(o); err != nil {
			return err
		}
	}
	for _, m := range k.members {
		if list, isList := o[m.name].([]any); isList && m.set {
			o[m.name] = sortedTexts(list)
		}
	}
	return nil
}

// sortedTexts is a list with each of its values once, in the order of their JSON.
func sortedTexts(list []any) []any {
	compare := func(a, b any) int {
		return strings.Compare(string(typedjson.AppendTree(nil, a)), string(typedjson.AppendTree(nil, b)))
	}
	sorted := slices.SortedFunc(slices.Values(list), compare)
	return slices.CompactFunc(sorted, func(a, b any) bool { return compare(a, b) == 0 })
}
