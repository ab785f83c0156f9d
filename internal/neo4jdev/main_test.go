package neo4jdev

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// helperVariable makes the test binary run a helper instead of its tests, so that tests can use several processes.
const helperVariable = "NEO4JDEV_TEST_HELPER"

func TestMain(m *testing.M) {
	switch os.Getenv(helperVariable) {
	case "":
		os.Exit(m.Run())
	case "serve":
		helperServe(os.Args[1])
	case "assemble":
		helperAssemble(os.Args[1])
	}
}

// helperServe starts a server, prints its process id and waits to be killed.
func helperServe(dir string) {
	server, err := Start(context.Background(), Options{Dir: dir, Development: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(server.Pid())
	time.Sleep(5 * time.Minute)
}

// helperAssemble assembles the default version into a cache and prints what happened.
func helperAssemble(cache string) {
	options := Options{CacheDir: cache, Log: os.Stdout}
	java, err := findJava(context.Background(), "", DefaultVersion)
	if err == nil {
		var jars jarSet
		jars, err = assemble(context.Background(), options, cache, DefaultVersion, java)
		fmt.Println("main class", jars.mainClass)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
