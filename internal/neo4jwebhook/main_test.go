package neo4jwebhook_test

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/webhook"
)

// deliverFor is the variable by which a test makes this program a deliverer, in a process that the test can kill: the address of the
// database.
const deliverFor = "GRAPHREST_TEST_DELIVERER"

func TestMain(m *testing.M) {
	if uri := os.Getenv(deliverFor); uri != "" {
		deliver(&neo4jtest.DB{
			URI: uri, Username: os.Getenv(deliverFor + "_USERNAME"), Password: os.Getenv(deliverFor + "_PASSWORD"),
			Database: os.Getenv(deliverFor + "_DATABASE"),
		})
		return
	}
	neo4jtest.Main(m)
}

// deliver delivers until the process is killed. It writes its log to standard output.
func deliver(db *neo4jtest.DB) {
	time.Local = time.UTC // see bolt.FromDriver
	log := slog.New(slog.NewTextHandler(os.Stdout, nil))
	p, err := openParts(db, nil, log)
	if err != nil {
		log.Error("could not start", "error", err.Error())
		return
	}
	webhook.NewDeliverer(p.hooks, p.journal, webhook.Options{Allowed: thisMachine(), Log: log}).Run(context.Background())
}
