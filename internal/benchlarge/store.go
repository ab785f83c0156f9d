package benchlarge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"graphrest/internal/bench"
	"graphrest/internal/neo4jdev"
)

// importedMark is the file that is written last into an imported home: a home without it is incomplete and is created again.
const importedMark = "complete"

// importedHome returns the home of a Neo4j with the imported graph of a size. It is created if it is missing.
func (r *run) importedHome(ctx context.Context) (string, error) {
	home := filepath.Join(r.Cache, fmt.Sprintf("large-%d", r.Size))
	if _, err := os.Stat(filepath.Join(home, importedMark)); err == nil {
		return home, nil
	}
	if err := os.RemoveAll(home); err != nil {
		return "", err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	files, err := os.MkdirTemp(r.Cache, "large-csv-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(files)
	r.progress("generating a graph of %d nodes", r.Size)
	if err := generate(r.Size, files); err != nil {
		return "", err
	}
	r.progress("importing it")
	err = neo4jdev.Import(ctx, r.server(home),
		"--nodes="+filepath.Join(files, nodesFile), "--relationships="+filepath.Join(files, edgesFile))
	if err != nil {
		return "", err
	}
	if err := r.deleteDoomed(ctx, home); err != nil {
		return "", fmt.Errorf("make holes in the ids: %w", err)
	}
	return home, os.WriteFile(filepath.Join(home, importedMark), nil, 0o600)
}

// server returns the options of the Neo4j that runs in a home.
func (r *run) server(home string) neo4jdev.Options {
	return neo4jdev.Options{
		Dir: home, Version: r.Version, Development: r.Development, HeapMB: r.HeapMB, PageCacheMB: r.PageCacheMB, Log: r.Log,
	}
}

// deleteDoomed deletes the entities that were imported to be deleted, so that internal ids have gaps as in a graph in production.
func (r *run) deleteDoomed(ctx context.Context, home string) (err error) {
	server, err := neo4jdev.Start(ctx, r.server(home))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	db, err := bench.OpenDatabase(ctx, bench.Neo4j{URI: server.URI, Username: server.Username, Password: server.Password, Database: "neo4j"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close(context.WithoutCancel(ctx))) }()
	if _, err := db.Run(ctx, "MATCH (n:"+doomedLabel+") CALL (n) { DELETE n } IN TRANSACTIONS OF 5000 ROWS", nil); err != nil {
		return err
	}
	_, err = db.Run(ctx, "MATCH ()-[r:"+edgeTypes[0]+"]->() WHERE r.weight = $weight CALL (r) { DELETE r } IN TRANSACTIONS OF 5000 ROWS",
		map[string]any{"weight": doomedWeight})
	return err
}

// startNeo4j starts Neo4j on a copy of the imported graph, so that the run's writes are deleted with the copy.
func (r *run) startNeo4j(ctx context.Context) error {
	home, err := r.importedHome(ctx)
	if err != nil {
		return err
	}
	if r.dir, err = os.MkdirTemp(r.Cache, "large-run-*"); err != nil {
		return err
	}
	r.progress("copying it")
	copied := filepath.Join(r.dir, "neo4j")
	if err := os.CopyFS(copied, os.DirFS(home)); err != nil {
		return err
	}
	if r.neo4j, err = neo4jdev.Start(ctx, r.server(copied)); err != nil {
		return err
	}
	r.at = bench.Neo4j{URI: r.neo4j.URI, Username: r.neo4j.Username, Password: r.neo4j.Password, Database: "neo4j"}
	return nil
}
