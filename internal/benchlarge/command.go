package benchlarge

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// RunCommand starts a Neo4j with a copy of the imported graph, runs a command with NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and
// NEO4J_DATABASE added to its environment, and stops it. What the command changes is deleted with the copy.
func RunCommand(ctx context.Context, o Options, command *exec.Cmd) (err error) {
	if err := o.createCache(); err != nil {
		return err
	}
	r := &run{Options: o, began: time.Now()}
	defer func() { err = errors.Join(err, r.end(context.WithoutCancel(ctx))) }()
	if err := r.startNeo4j(ctx); err != nil {
		return err
	}
	command.Env = append(command.Env, "NEO4J_URI="+r.at.URI, "NEO4J_USERNAME="+r.at.Username, "NEO4J_PASSWORD="+r.at.Password,
		"NEO4J_DATABASE="+r.at.Database)
	return command.Run()
}
