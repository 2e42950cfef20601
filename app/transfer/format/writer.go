package format

import (
	"bufio"
	"encoding/json"
	"io"
)

// PartBytes is how many bytes of a file a part holds at most.
const PartBytes = 192 << 10

// Writer writes lines.
type Writer struct {
	buffer *bufio.Writer
	json   *json.Encoder
	lines  int64
}

// NewWriter returns a writer of lines to w.
func NewWriter(w io.Writer) *Writer {
	b := bufio.NewWriterSize(w, 64<<10)
	return &Writer{buffer: b, json: encoder(b)}
}

// encoder returns what writes records as lines.
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

// Bytes writes what r holds as parts.
func (w *Writer) Bytes(r io.Reader) error {
	chunk := make([]byte, PartBytes)
	for {
		n, err := io.ReadFull(r, chunk)
		if n > 0 {
			if err := w.Write(Part{Kind: PartKind, Data: chunk[:n]}); err != nil {
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

// Close writes the last line.
func (w *Writer) Close() error {
	if err := w.json.Encode(End{Kind: EndKind, Lines: w.lines}); err != nil {
		return err
	}
	return w.buffer.Flush()
}
