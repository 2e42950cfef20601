package format

import (
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// ID is the optional ID of a record in a file; zero: none.
type ID struct{ uuid.UUID }

var errID = errors.New("is not a valid UUID, such as 018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10")

// UnmarshalJSON implements json.Unmarshaler. It accepts only the canonical form of a UUID.
func (i *ID) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return errID
	}
	id, ok := text.UUID(s)
	if !ok || id == uuid.Nil {
		return errID
	}
	i.UUID = id
	return nil
}
