package respond

import (
	"bytes"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// encodeDocument writes a document as JSON to b. It encodes a page of a list resource by resource,
// and returns an error as soon as the page has more than PageBytes.
func (r *Responder) encodeDocument(b *bytes.Buffer, document any) error {
	page, ok := document.(jsonapi.List)
	if !ok || page.Data == nil {
		return encodeTo(b, document)
	}
	b.WriteString(`{"links":`)
	if err := encodeTo(b, page.Links); err != nil {
		return err
	}
	b.WriteString(`,"data":`)
	if err := r.encodeResources(b, page.Data); err != nil {
		return err
	}
	if page.Included != nil {
		b.WriteString(`,"included":`)
		if err := r.encodeResources(b, *page.Included); err != nil {
			return err
		}
	}
	if page.Meta != nil {
		b.WriteString(`,"meta":`)
		if err := encodeTo(b, page.Meta); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func (r *Responder) encodeResources(b *bytes.Buffer, all []jsonapi.Resource) error {
	b.WriteByte('[')
	for i := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encodeTo(b, &all[i]); err != nil {
			return err
		}
		if err := r.CheckPage(b.Len()); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// CheckPage returns an error if a page of a list has more bytes than allowed. The page is refused
// rather than shortened, because it has to contain as many records as the client asked for.
func (r *Responder) CheckPage(size int) error {
	if size <= r.PageBytes {
		return nil
	}
	return fault.Malformedf("limit", "is too large for these records: the page would have more than %d MiB; use a smaller limit", r.PageBytes>>20)
}
