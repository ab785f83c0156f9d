package benchlarge

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	return rows[1:]
}

func TestGenerate(t *testing.T) {
	const size = 5000
	directory, again := t.TempDir(), t.TempDir()
	require.NoError(t, generate(size, directory))
	require.NoError(t, generate(size, again))
	for _, name := range []string{nodesFile, edgesFile} {
		first, err := os.ReadFile(filepath.Join(directory, name))
		require.NoError(t, err)
		second, err := os.ReadFile(filepath.Join(again, name))
		require.NoError(t, err)
		require.Equal(t, string(first), string(second), "the same size gives the same graph")
	}

	labels, codes, several, frozen := map[string]int{}, map[string]bool{}, map[string]int{}, 0
	for _, row := range readCSV(t, filepath.Join(directory, nodesFile)) {
		of := strings.Split(row[1], ";")
		if len(of) > 1 {
			several[row[1]]++
		}
		labels[of[0]]++
		codes[row[3]] = true
		if of[0] == "Person" && row[4] == rareStatus {
			frozen++
		}
	}
	require.Equal(t, size/2, labels["Person"])
	require.Equal(t, smallestType, labels["Continent"])
	require.Equal(t, size/100, labels[""], "some nodes have no label")
	require.Equal(t, size/50, labels[doomedLabel])
	require.Len(t, labels, typeCount+2)
	require.Equal(t, size/2/20, several["Person;Account"])
	require.Positive(t, several["Company;Store;Brand"])
	require.Positive(t, frozen)
	require.Less(t, frozen, 20)
	require.Len(t, codes, size+size/50, "codes are unique")
	require.True(t, codes[hubCode] && codes["ISLAND0"])

	types, hub, loops, parallel, doomed := map[string]int{}, 0, 0, 0, 0
	before := []string{"", ""}
	for _, row := range readCSV(t, filepath.Join(directory, edgesFile)) {
		types[row[2]]++
		if row[0] == "0" || row[1] == "0" {
			hub++
		}
		if row[0] == row[1] {
			loops++
		}
		if row[0] == before[0] && row[1] == before[1] {
			parallel++
		}
		if row[4] == "-1" {
			doomed++
		}
		before = row
	}
	require.Equal(t, size*8/5+size/20+100, types["KNOWS"], "with the island and what is deleted")
	require.Equal(t, smallestType, types["EXPLORED"])
	require.Len(t, types, typeCount)
	require.Equal(t, size/20, doomed)
	require.GreaterOrEqual(t, hub, size/10-size/200)
	require.Positive(t, loops)
	require.Positive(t, parallel)
}

func TestShapeRefusesTooSmall(t *testing.T) {
	_, err := newShape(MinSize - 1)
	require.ErrorContains(t, err, "2000 is the least")
	for _, size := range []int{MinSize, 100_000, 1_000_000, 5_000_000} {
		s, err := newShape(size)
		require.NoError(t, err)
		for _, counts := range [][typeCount]int{s.nodes, s.edges} {
			require.Equal(t, smallestType, counts[typeCount-1])
			require.IsNonIncreasing(t, counts[:])
		}
	}
}
