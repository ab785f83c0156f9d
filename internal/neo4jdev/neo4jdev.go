// Package neo4jdev finds or assembles a real Neo4j server, starts it on this machine, waits until it
// accepts Bolt connections, and stops it. `graphrest dev`, the tests and the benchmark all use it.
//
// It runs the first available of: the server in NEO4J_HOME; a server assembled by Maven from Maven Central
// (Neo4j Community, GPLv3, fetched at the user's request and never shipped with this project) run by an
// installed Java; the official Docker image. If none of them is possible, the error names what to install.
//
// The servers listen on 127.0.0.1 only.
package neo4jdev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const (
	// Version526 is the long-term support release this project is tested with. It runs on Java 17 or 21.
	Version526 = "5.26.30"
	// VersionCalendar is the calendar release this project is tested with. It runs on Java 21 or newer.
	VersionCalendar = "2026.08.1"
	// DefaultVersion is what Start assembles when Options.Version is empty.
	DefaultVersion = Version526

	// DefaultUsername is the only user of a new Neo4j.
	DefaultUsername = "neo4j"

	// startTimeout bounds a start whose context has no deadline. A first start downloads 120 MiB or more.
	startTimeout = 10 * time.Minute
	// lockTimeout bounds the wait for a previous server on the same directory to finish stopping.
	lockTimeout = 15 * time.Second
)

// ErrInUse reports that another running server (or the process that owns it) has locked the data directory.
var ErrInUse = errors.New("the data directory is in use by another Neo4j")

// Options select which Neo4j to run and where. Only Dir is required.
type Options struct {
	// Dir is the home of the server: data, logs, configuration and credentials. It is created if missing
	// and kept when the server stops, so that a second Start on it finds its data again.
	Dir string
	// CacheDir keeps the assembled server. Default: <user cache directory>/graphrest/neo4j-<version>.
	CacheDir string
	// Version is the exact Neo4j version, for example Version526 or VersionCalendar. Default DefaultVersion,
	// or the version in NEO4J_HOME. A NEO4J_HOME of another version than the given one is ignored.
	Version string
	// JavaHome selects the Java installation. Default: the most suitable of JAVA_HOME, PATH and the usual directories.
	JavaHome string
	// Password of the user neo4j, set before the first start on Dir. Default: the one kept in Dir, else a
	// random one. Neo4j requires at least 8 characters. A password that differs from the one kept is an error.
	Password string
	// BoltPort and HTTPPort are the ports on 127.0.0.1; 0 picks a free one.
	BoltPort, HTTPPort int
	// HTTP switches Neo4j's own HTTP server on (Query API, Browser). It costs about 0.7 s at start.
	HTTP bool
	// Development trades speed under load for a fast start and little memory (first-tier JIT only).
	// Do not set it for benchmarks.
	Development bool
	// FullJIT enables the second-tier JIT in Development too, for code that runs very often: a server that serves a test run for minutes
	// then takes the least CPU time.
	FullJIT bool
	// ClassArchive makes an archive of Neo4j's classes in CacheDir if there is none: every later start with Development uses it and takes
	// a third less CPU time. Making it takes as long as a start and a half, once for each version and Java; a failure is only logged.
	ClassArchive bool
	// HeapMB and PageCacheMB size the memory in MiB. Defaults: 512 and 128 with Development, else 1024 and 512.
	HeapMB, PageCacheMB int
	// Log receives progress lines for people. Default: they are discarded.
	Log io.Writer
	// ExtraConf adds or overrides lines of neo4j.conf, for example "db.transaction.timeout": "5s".
	ExtraConf map[string]string
}

// Server is a running Neo4j with its addresses and credentials. Its fields do not change after Start.
type Server struct {
	URI      string // bolt://127.0.0.1:<port>
	HTTPURL  string // http://127.0.0.1:<port>, empty unless Options.HTTP
	Username string // always DefaultUsername
	Password string
	Version  string // the version that is running

	options Options
	process *process
	lock    *Lock
}

// Start assembles (if necessary) and starts a Neo4j, and returns once it answers a Bolt handshake.
// A canceled ctx ends the attempt and stops what was started; it does not affect a server that Start has returned.
// Errors: *MissingError if tools must be installed first, ErrInUse, and otherwise an error that contains
// the last lines of neo4j.log.
func Start(ctx context.Context, options Options) (*Server, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, startTimeout)
		defer cancel()
	}
	if err := options.complete(); err != nil {
		return nil, err
	}
	found, err := findRuntime(ctx, options)
	if err != nil {
		return nil, err
	}
	if java, ok := found.(*javaRuntime); ok && options.ClassArchive && options.Development {
		if err := java.ensureClassArchive(ctx, options); err != nil {
			options.logf("no class archive, each start takes longer: %v", err)
		}
	}
	lock, err := lockHome(ctx, options.Dir)
	if err != nil {
		return nil, err
	}
	server, err := startLocked(ctx, found, options, lock)
	if err != nil {
		lock.Release()
		return nil, err
	}
	return server, nil
}

// startLocked starts the server whose home is locked. If another process binds the chosen free port
// before Neo4j does, it chooses another port.
func startLocked(ctx context.Context, found serverRuntime, options Options, lock *Lock) (*Server, error) {
	if err := createHome(options.Dir); err != nil {
		return nil, err
	}
	credentials, err := prepareCredentials(ctx, found, options)
	if err != nil {
		return nil, err
	}
	const attempts = 3
	for attempt := 1; ; attempt++ {
		chosen := options
		if err := chosen.choosePorts(); err != nil {
			return nil, err
		}
		server, err := launch(ctx, found, chosen, credentials, lock)
		if err == nil {
			return server, nil
		}
		picked := options.BoltPort == 0 || (options.HTTP && options.HTTPPort == 0)
		if attempt == attempts || !picked || !errors.Is(err, errPortTaken) {
			return nil, err
		}
		options.logf("a port was taken meanwhile, trying another one")
	}
}

// Options returns the options of the server with ports, password and version filled in: Start with these options after Stop or Kill
// starts a server with the same data at the same address.
func (s *Server) Options() Options {
	options := s.options
	options.ExtraConf = maps.Clone(options.ExtraConf)
	options.Password = s.Password
	return options
}

// Dir returns the server's home.
func (s *Server) Dir() string { return s.options.Dir }

// Stop asks the server to stop (SIGTERM), waits, and releases the data directory. If ctx ends first,
// the server is killed and ctx's error is returned. Stopping a server that has ended is no error.
func (s *Server) Stop(ctx context.Context) error {
	defer s.lock.Release()
	return s.process.stop(ctx)
}

// Kill kills the server immediately (SIGKILL), like a power failure, and waits until it has ended. The next Start recovers.
func (s *Server) Kill() error {
	defer s.lock.Release()
	return s.process.kill()
}

// Pid returns the process id of the server (of the docker client if Docker runs it).
func (s *Server) Pid() int { return s.process.pid() }

// Done is closed when the server's process has ended, for whatever reason.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Wait waits for the server's process to end and returns how it ended: nil for exit code 0.
func (s *Server) Wait() error {
	<-s.process.done
	return s.process.result
}

var exactVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)

// complete sets the defaults that do not depend on the machine and rejects invalid options.
func (o *Options) complete() error {
	if o.Dir == "" {
		return errors.New("neo4jdev: Options.Dir is empty")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return fmt.Errorf("neo4jdev: data directory: %w", err)
	}
	o.Dir = dir
	if o.Version != "" && !exactVersion.MatchString(o.Version) {
		return fmt.Errorf("neo4jdev: %q is not an exact Neo4j version such as %s", o.Version, DefaultVersion)
	}
	if o.Password != "" && (len(o.Password) < 8 || strings.ContainsAny(o.Password, "\r\n\x00")) {
		return errors.New("neo4jdev: the password needs at least 8 characters and no line breaks")
	}
	heap, pageCache := 1024, 512
	if o.Development {
		heap, pageCache = 512, 128
	}
	if o.HeapMB == 0 {
		o.HeapMB = heap
	}
	if o.PageCacheMB == 0 {
		o.PageCacheMB = pageCache
	}
	for key, value := range o.ExtraConf {
		if strings.ContainsAny(key+value, "\r\n") || strings.ContainsAny(key, "= #") || key == "" {
			return fmt.Errorf("neo4jdev: %q is no line for neo4j.conf", key+"="+value)
		}
	}
	return nil
}

func (o *Options) choosePorts() error {
	if o.BoltPort == 0 {
		port, err := freePort()
		if err != nil {
			return err
		}
		o.BoltPort = port
	}
	if o.HTTP && o.HTTPPort == 0 {
		port, err := freePort()
		if err != nil {
			return err
		}
		o.HTTPPort = port
	}
	return nil
}

func (o *Options) logf(format string, args ...any) {
	if o.Log != nil {
		fmt.Fprintf(o.Log, format+"\n", args...)
	}
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("neo4jdev: pick a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// createHome creates the directories of a Neo4j home, readable by their owner only: they contain data and a password.
func createHome(dir string) error {
	for _, name := range []string{"conf", "data", "logs", "plugins", "import", "run"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return fmt.Errorf("neo4jdev: make the data directory: %w", err)
		}
	}
	return nil
}

// lockHome locks the home for one server. The server's process inherits the lock, so it is held until both the
// process that started it and the server itself have ended; lockHome waits for a server that is stopping.
func lockHome(ctx context.Context, dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("neo4jdev: make the data directory: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	lock, err := LockFile(ctx, filepath.Join(dir, ".lock"))
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w: %s", ErrInUse, dir)
	}
	return lock, err
}
