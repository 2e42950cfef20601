package format

import (
	"bufio"
	"encoding/json"
	"io"
)

// ChunkSize is the maximum number of bytes in a Chunk.
const ChunkSize = 192 << 10

// A Writer writes lines.
type Writer struct {
	buffer *bufio.Writer
	json   *json.Encoder
	lines  int64
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	b := bufio.NewWriterSize(w, 64<<10)
	return &Writer{buffer: b, json: encoder(b)}
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// Write writes a record as a line.
func (w *Writer) Write(record any) error {
	w.lines++
	return w.json.Encode(record)
}

// Bytes writes the bytes of r as chunks.
func (w *Writer) Bytes(r io.Reader) error {
	chunk := make([]byte, ChunkSize)
	for {
		n, err := io.ReadFull(r, chunk)
		if n > 0 {
			if err := w.Write(Chunk{Kind: PartKind, Data: chunk[:n]}); err != nil {
				return err
			}
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return nil
		default:
			return err
		}
	}
}

// Close writes the end line and flushes the buffer. It does not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.json.Encode(End{Kind: EndKind, Lines: w.lines}); err != nil {
		return err
	}
	return w.buffer.Flush()
}
