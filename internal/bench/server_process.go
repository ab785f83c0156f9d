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
	"os/exec"
	"time"
)

// serverSetup is what the process of a service or of a limit reads from its input. Secrets are sent this way because every user of a
// machine can read arguments.
type serverSetup struct {
	Target  Target                     `json:"target"`
	Address string                     `json:"address"` // to listen on
	Secret  string                     `json:"secret"`  // signs the tokens of a service
	Data    string                     `json:"data"`    // file of the data set, of a service
	Neo4j   Neo4j                      `json:"neo4j"`   // of a service
	Samples map[Operation]answerSample `json:"samples"` // of a limit
}

// ServeTarget runs the process of a target that is no gateway: it reads its setup and serves until the context ends.
func ServeTarget(ctx context.Context, in io.Reader) error {
	var s serverSetup
	if err := json.NewDecoder(in).Decode(&s); err != nil {
		return fmt.Errorf("read the setup: %w", err)
	}
	handler := newLimit(s.Samples)
	if s.Target == Service {
		written, end, err := newService(s)
		if err != nil {
			return err
		}
		defer end(context.WithoutCancel(ctx))
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

// startServer starts the process of a target that is no gateway, and returns once it accepts connections.
func (r *run) startServer(ctx context.Context, target Target) (*gateway, error) {
	s := serverSetup{Target: target, Secret: r.secrets.signing, Data: r.dataFile(), Neo4j: r.at}
	tokens := []string{"none"}
	var err error
	if target == Limit {
		if s.Samples, err = r.sampleAnswers(ctx); err != nil {
			return nil, err
		}
	} else if tokens[0], err = serviceToken(s.Secret, benchUser); err != nil {
		return nil, err
	}
	if s.Address, err = freeAddress(); err != nil {
		return nil, err
	}
	input, err := json.Marshal(s) //nolint:gosec // its secrets go to a child process, by a pipe
	if err != nil {
		return nil, err
	}
	command := exec.Command(r.Serve[0], r.Serve[1:]...) //nolint:gosec // it is this program itself
	command.Stdin = bytes.NewReader(input)
	process, err := startChild("the "+string(target), command)
	if err != nil {
		return nil, err
	}
	g := &gateway{child: process, address: s.Address, tokens: tokens}
	if err := g.awaitConnection(ctx); err != nil {
		g.stop()
		return nil, fmt.Errorf("the %s: %w\n%s", target, err, g.output)
	}
	return g, nil
}

// sampleAnswers copies answers of the gateway.
func (r *run) sampleAnswers(ctx context.Context) (map[Operation]answerSample, error) {
	g := r.gateways[Gateway]
	if g == nil {
		return nil, fmt.Errorf("the %s answers what the %s does, which must be among the targets before it", Limit, Gateway)
	}
	cursor, err := g.deepCursor(ctx, r.data)
	if err != nil {
		return nil, err
	}
	return sampleAnswers(g, r.working, cursor)
}

// awaitConnection waits until a server accepts connections.
func (g *gateway) awaitConnection(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", g.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-g.done:
			return errors.New("it ended during its start")
		case <-ctx.Done():
			return fmt.Errorf("it was not ready in time: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
