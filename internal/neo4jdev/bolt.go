package neo4jdev

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// boltHandshake is what a Bolt client sends first: the magic preamble and four proposals of a protocol version,
// each [0, range, minor, major]: 5.8 down to 5.0, 4.4 down to 4.2, 3.0, none.
// Source: Neo4j Bolt Protocol documentation, "Bolt Protocol handshake specification".
var boltHandshake = []byte{
	0x60, 0x60, 0xB0, 0x17,
	0, 8, 8, 5,
	0, 2, 4, 4,
	0, 0, 0, 3,
	0, 0, 0, 0,
}

// speaksBolt reports whether a Bolt server answers at address. Neo4j opens its Bolt port for clients last, when
// its database is ready.
func speaksBolt(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	deadline, _ := ctx.Deadline()
	if err := connection.SetDeadline(deadline); err != nil {
		return err
	}
	if _, err := connection.Write(boltHandshake); err != nil {
		return err
	}
	var agreed [4]byte
	if _, err := io.ReadFull(connection, agreed[:]); err != nil {
		return err
	}
	if agreed == [4]byte{} || string(agreed[:]) == "HTTP" {
		return errors.New("the server speaks none of the proposed Bolt versions")
	}
	return nil
}
