package files

import (
	"bytes"
	"errors"
	"io"
)

// pieceSize is the number of bytes of each piece but the last.
const pieceSize = 64 << 10

// pieces are the bytes of a file in memory. They are immutable. One slice for a large file would be
// copied again and again while it grows, and the garbage collector would stop all requests during
// each copy.
type pieces struct {
	all  [][]byte
	size int64
}

// readPieces reads r to its end.
func readPieces(r io.Reader) (pieces, error) {
	var p pieces
	for {
		piece, n := make([]byte, pieceSize), 0
		var err error
		for n < pieceSize && err == nil { // not io.ReadFull, which hides io.ErrUnexpectedEOF of r
			var more int
			more, err = r.Read(piece[n:])
			n += more
		}
		if n < pieceSize {
			piece = bytes.Clone(piece[:n])
		}
		p.all, p.size = append(p.all, piece), p.size+int64(n)
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return pieces{}, err
		}
	}
}

// ReadAt implements io.ReaderAt.
func (p pieces) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) && off < p.size {
		k := copy(b[n:], p.all[off/pieceSize][off%pieceSize:])
		n, off = n+k, off+int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
