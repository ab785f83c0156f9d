package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Machine describes the hardware and software that the numbers depend on.
type Machine struct {
	Cores  int    `json:"cores"`
	CPU    string `json:"cpu,omitempty"`
	Memory string `json:"memory,omitempty"`
	System string `json:"system"`
	Go     string `json:"go"`
	Java   string `json:"java"`
	Neo4j  string `json:"neo4j"`
}

// DescribeMachine describes this machine and the server.
func DescribeMachine(ctx context.Context, db *Database) (Machine, error) {
	m := Machine{
		Cores: runtime.NumCPU(), Go: strings.TrimPrefix(runtime.Version(), "go"), System: runtime.GOOS + "/" + runtime.GOARCH,
		CPU: procLine("/proc/cpuinfo", "model name"),
	}
	if kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(procLine("/proc/meminfo", "MemTotal"), " kB"), 64); err == nil {
		m.Memory = fmt.Sprintf("%.0f GiB", kilobytes/(1<<20))
	}
	var err error
	if m.Neo4j, err = db.version(ctx); err != nil {
		return m, err
	}
	records, err := db.Run(ctx, "CALL dbms.queryJmx('java.lang:type=Runtime') YIELD attributes RETURN attributes.VmVersion.value AS version",
		nil)
	if err != nil {
		return m, err
	}
	m.Java = fmt.Sprint(records[0].Values[0])
	return m, nil
}

// procLine returns the value of the first line "name : value" of a file in /proc, empty if there is none.
func procLine(path, name string) string {
	content, err := os.ReadFile(path) //nolint:gosec // fixed names and process ids under /proc
	if err != nil {
		return ""
	}
	for line := range strings.SplitSeq(string(content), "\n") {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// ticksPerSecond is USER_HZ, the unit of times in /proc, which is 100 on every Linux that Go runs on (proc(5)).
const ticksPerSecond = 100

// cpuSeconds is the processor time that a process has used, NaN if /proc does not contain it. proc_pid_stat(5): the 14th
// and 15th fields are user and system time; the second is the command in parentheses, which may contain any characters.
func cpuSeconds(pid int) float64 {
	if pid <= 0 {
		return math.NaN()
	}
	content, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return math.NaN()
	}
	return parseStat(content)
}

func parseStat(content []byte) float64 {
	fields := bytes.Fields(content[bytes.LastIndexByte(content, ')')+1:])
	const first = 3 // the number of the first field after the command
	if len(fields) <= 15-first {
		return math.NaN()
	}
	user, err1 := strconv.ParseFloat(string(fields[14-first]), 64)
	system, err2 := strconv.ParseFloat(string(fields[15-first]), 64)
	if err1 != nil || err2 != nil {
		return math.NaN()
	}
	return (user + system) / ticksPerSecond
}

// residentMiB is the resident memory of a process, NaN if /proc does not contain it.
func residentMiB(pid int) float64 {
	kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(procLine("/proc/"+strconv.Itoa(pid)+"/status", "VmRSS"), " kB"), 64)
	if err != nil {
		return math.NaN()
	}
	return kilobytes / 1024
}
