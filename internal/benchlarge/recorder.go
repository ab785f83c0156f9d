package benchlarge

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
)

// sentStatement is a Cypher statement that a gateway sent, with its parameters.
type sentStatement struct {
	Text   string
	Params map[string]any
}

// recorder is a proxy between a gateway and Neo4j that records each statement, since Neo4j Community writes no query log.
// It forwards all bytes unchanged. Gateways are timed without it.
type recorder struct {
	listener net.Listener
	server   string
	mutex    sync.Mutex
	seen     []sentStatement
	err      error
}

func startRecorder(server string) (*recorder, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &recorder{listener: listener, server: server}
	go r.serve()
	return r, nil
}

func (r *recorder) uri() string { return "bolt://" + r.listener.Addr().String() }

func (r *recorder) close() error { return r.listener.Close() }

// take returns the statements recorded since the last call, and the error of a message that could not be read.
func (r *recorder) take() ([]sentStatement, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	seen, err := r.seen, r.err
	r.seen, r.err = nil, nil
	return seen, err
}

func (r *recorder) serve() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return // closed
		}
		go r.pass(client)
	}
}

func (r *recorder) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", r.server)
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(client, server) // the end of the connection, for whatever reason, ends the copy
		_ = client.Close()
	}()
	if err := r.forward(bufio.NewReader(client), server); err != nil && !errors.Is(err, net.ErrClosed) {
		r.mutex.Lock()
		r.err = err
		r.mutex.Unlock()
	}
	_ = server.Close()
}

// forward forwards what a client sends on a connection (Bolt protocol documentation, "Handshake" and "Message transfer
// encoding"). A message is recorded before it is forwarded, so that all statements of an answer are recorded when the answer arrives.
func (r *recorder) forward(in *bufio.Reader, out io.Writer) error {
	const handshake = 20
	if _, err := io.CopyN(out, in, handshake); err != nil {
		return unlessEnd(err)
	}
	// A client that was offered a list of versions now sends one in four bytes, of which the first two are zero, and its
	// capabilities, a variable-length number of seven bits per byte. Otherwise a message follows, which begins with its length.
	if start, err := in.Peek(2); err == nil && start[0] == 0 && start[1] == 0 {
		if _, err := io.CopyN(out, in, 4); err != nil {
			return unlessEnd(err)
		}
		for more := true; more; {
			part, err := in.ReadByte()
			if err != nil {
				return unlessEnd(err)
			}
			if _, err := out.Write([]byte{part}); err != nil {
				return err
			}
			more = part >= 0x80
		}
	}
	for {
		raw, message, err := readMessage(in)
		if err != nil {
			return unlessEnd(err)
		}
		if err := r.note(message); err != nil {
			return err
		}
		if _, err := out.Write(raw); err != nil {
			return err
		}
	}
}

// unlessEnd returns the error, or nil for the end of a connection.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// readMessage returns the chunks of one message unchanged and joined: each begins with its length, and an empty one ends the message.
func readMessage(in *bufio.Reader) (raw, message []byte, err error) {
	for {
		var size [2]byte
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return nil, nil, err
		}
		raw = append(raw, size[:]...)
		length := int(binary.BigEndian.Uint16(size[:]))
		if length == 0 {
			return raw, message, nil // an empty message only keeps the connection open
		}
		chunk := make([]byte, length)
		if _, err := io.ReadFull(in, chunk); err != nil {
			return nil, nil, err
		}
		raw, message = append(raw, chunk...), append(message, chunk...)
	}
}

// note records the statement of a RUN message.
func (r *recorder) note(message []byte) error {
	const runMessage = 0x10
	if len(message) < 2 || message[1] != runMessage {
		return nil
	}
	value, err := (&packed{rest: message}).value()
	if err != nil {
		return err
	}
	text, params, ok := runFields(value)
	if !ok {
		return errors.New("a RUN message without statement and parameters")
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.seen = append(r.seen, sentStatement{Text: text, Params: params})
	return nil
}

func runFields(value any) (text string, params map[string]any, ok bool) {
	message, isMessage := value.(structure)
	if !isMessage || len(message.fields) < 2 {
		return "", nil, false
	}
	text, isText := message.fields[0].(string)
	params, isMap := message.fields[1].(map[string]any)
	return text, params, isText && isMap
}
