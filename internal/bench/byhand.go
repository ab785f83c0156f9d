package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// ServeArgument is the argument with which the program is a target that is compared with the gateway: see Serve.
const ServeArgument = "serve"

// servedTarget is what the process of such a target reads from the environment: every user of a machine can read arguments.
type servedTarget struct {
	Target  Target
	Address string // to listen on
	Secret  string // signs the tokens of the service
	Neo4j   Neo4j  // of the service
	Size    Size
	Gateway string // of which the limit copies the answers
}

// ServedVariable is the variable of the environment with what such a process serves.
const ServedVariable = "GRAPHREST_BENCH_TARGET"

// Serve serves the Service or the Limit until the context ends. setup is the value of ServedVariable.
func Serve(ctx context.Context, setup string) error {
	var s servedTarget
	if err := json.Unmarshal([]byte(setup), &s); err != nil {
		return fmt.Errorf("%s: %w", ServedVariable, err)
	}
	handler := newLimit(s.Gateway)
	if s.Target == Service {
		written, end, err := newService(s.Neo4j, s.Size, s.Secret)
		if err != nil {
			return err
		}
		defer func() { _ = end(context.WithoutCancel(ctx)) }()
		handler = written
	}
	server := &http.Server{Addr: s.Address, Handler: handler, ReadHeaderTimeout: answerTime}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// startServed starts the process of a Service or a Limit, and returns once it accepts connections.
func (r *run) startServed(ctx context.Context, target Target) (*GatewayProcess, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	s := servedTarget{Target: target, Address: address, Secret: r.secrets.signing, Neo4j: r.at, Size: r.Size}
	token, err := serviceToken(s.Secret)
	if err != nil {
		return nil, err
	}
	if g := r.gateways[Gateway]; target == Limit && g != nil {
		s.Gateway, token = g.address, g.tokens[0]
	}
	setup, err := json.Marshal(s) //nolint:gosec // its secrets go to a child process
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	process, err := startChild(ctx, program, []string{ServedVariable + "=" + string(setup)}, ServeArgument)
	if err != nil {
		return nil, err
	}
	served := &GatewayProcess{child: process, address: address, client: newHTTPClient(address), tokens: []string{token}}
	for end := time.Now().Add(30 * time.Second); ; {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			return served, connection.Close()
		}
		if time.Now().After(end) {
			served.Stop()
			return nil, fmt.Errorf("the %s does not listen: %w\n%s", target, err, process.output)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// limitAnswer is an answer of the gateway to one kind of request.
type limitAnswer struct {
	status int
	body   []byte
	id     string // at the end of its path; empty for lists and creates
}

// newLimit is a server that reads each request and answers what the gateway answered to the first of its kind, with the id of this one.
// It measures HTTP and nothing else.
func newLimit(gateway string) http.Handler {
	var known sync.Map // of limitAnswer, by method and path without the id
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		_, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/api/"), "/")
		kind := r.Method + strings.TrimSuffix(r.URL.RequestURI(), id)
		answer, found := known.Load(kind)
		if !found {
			status, _, body, err := newHTTPClient(gateway).do(r.Context(), r.Method, r.URL.RequestURI(),
				strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), sent)
			if err != nil || status >= http.StatusBadRequest {
				http.Error(w, fmt.Sprint("an answer to copy: ", failure(status, body, err)), http.StatusBadGateway)
				return
			}
			answer, _ = known.LoadOrStore(kind, limitAnswer{status, bytes.Clone(body), id})
		}
		a, _ := answer.(limitAnswer)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(a.status)
		if id == "" {
			_, _ = w.Write(a.body)
			return
		}
		_, _ = w.Write(bytes.ReplaceAll(a.body, []byte(a.id), []byte(id))) //nolint:gosec // JSON, to the benchmark's own clients
	})
}
