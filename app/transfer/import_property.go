package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
)

// propertyKey identifies a definition in the lines of a file.
type propertyKey struct {
	resource property.Resource
	name     string
}

// importProperty imports a definition. For the resource school, the line also contains the school's
// value.
func (m *importer) importProperty(ctx context.Context, l *format.Property) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	resource, errResource := property.ParseResource(l.Resource)
	kind, errKind := property.ParseKind(l.Type)
	errKind = fault.OnField("type", errKind)
	if err := fault.Join(errResource, errKind); err != nil {
		return err
	}
	d, err := property.New(property.ID{UUID: m.id(l.Kind, l.ID)}, property.Params{
		Resource: resource, Name: l.Name, Kind: kind, Options: l.Values, Filterable: l.Filterable,
	}, created)
	if err != nil {
		return err
	}
	s := d.State()
	key := propertyKey{resource, s.Name}
	known, err := markSeen(m.properties, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		if err := m.changeProperty(ctx, l, known, s); err != nil {
			return err
		}
		return m.schoolValue(ctx, l, s)
	}
	defined := 1
	for other := range m.properties {
		if other.resource == resource {
			defined++
		}
	}
	if err := property.CheckNumber(defined); err != nil {
		return err
	}
	s.UpdatedAt = updated
	register(m.properties, key, s, m.line)
	m.batch.Properties = append(m.batch.Properties, property.Restore(s))
	m.created(l.Kind, 1)
	return m.schoolValue(ctx, l, s)
}

// changeProperty updates an existing definition to s. It refuses a change that could make values of
// records invalid. Such a change can be made only through the API.
func (m *importer) changeProperty(
	ctx context.Context, l *format.Property, known *entry[property.State], s property.State,
) error {
	d, c := property.Restore(known.record), property.DefinitionChanges{Kind: &s.Kind, Options: &s.Options, Filterable: &s.Filterable}
	differs, err := d.Update(c, m.now)
	if err != nil {
		return err
	}
	all, options := property.Lost(known.record, d.State())
	switch {
	case all:
		return fault.Invalidf("type", "cannot be changed by an import: it is %s", known.record.Kind)
	case len(options) > 0:
		return fault.Invalidf("values", "must include the existing value %q; an import cannot remove it", options[0])
	}
	known.record = d.State()
	return m.saveIfChanged(l.Kind, differs, func() error {
		_, err := usecase.Update(ctx, m.load.Tx().Properties, known.record.ID, func(d *property.Definition) (bool, error) {
			return d.Update(c, m.now)
		})
		return err
	})
}

// schoolValue sets the value of a property of the school.
func (m *importer) schoolValue(ctx context.Context, l *format.Property, s property.State) error {
	if l.Value == nil {
		return nil
	}
	if s.Resource != property.School {
		return fault.Invalidf("value", "is allowed only for the resource %s", property.School)
	}
	object, err := json.Marshal(map[string]json.RawMessage{s.Name: l.Value})
	if err != nil {
		return err
	}
	changes, err := m.sentProperties(property.School, object)
	if err == nil {
		_, err = property.Values{}.Update(changes)
	}
	if err != nil {
		return fault.OnField("value", err)
	}
	if m.load == nil || len(m.faults) > 0 {
		own := m.creations.School()
		_, err := m.updateSchool(&own, changes)
		return err
	}
	repo := m.load.Tx().School
	own, err := repo.GetForUpdate(ctx)
	if err != nil {
		return err
	}
	if changed, err := m.updateSchool(&own, changes); err != nil || !changed {
		return err
	}
	return repo.Save(ctx, own)
}

// updateSchool updates own, and passes the updated school to the rules for the following lines.
func (m *importer) updateSchool(own *school.School, changes property.Changes) (changed bool, err error) {
	at := m.now
	if m.made != nil {
		at = own.State().UpdatedAt
	}
	if changed, err = own.Update(school.Changes{Properties: changes}, at); err != nil {
		return false, fault.OnField("value", err)
	}
	m.creations.SetSchool(*own)
	m.deps.SetSchool(&m.by, *own)
	return changed, nil
}

// sentProperties returns the properties of a line about a record of the resource r.
func (m *importer) sentProperties(r property.Resource, object json.RawMessage) (property.Changes, error) {
	if object == nil {
		return property.Changes{}, nil
	}
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&members); err != nil || members == nil {
		return property.Changes{}, fault.Invalidf(property.Field, "must be an object")
	}
	c := property.Changes{Sent: property.RawsOf(members)}
	for name := range c.Sent {
		if e, ok := m.properties[propertyKey{r, name}]; ok {
			c.Defined = append(c.Defined, e.record)
		}
	}
	return c, nil
}

// lockProperties locks the definitions of an existing school, so that they do not change before the
// end of the import. It returns ErrChanged if they have changed since the index was read.
func (m *importer) lockProperties(ctx context.Context) error {
	if m.load == nil || m.made != nil || len(m.properties) == 0 {
		return nil
	}
	// Lock the school, because a line may set its value of a property.
	if _, err := m.load.Tx().School.GetForUpdate(ctx); err != nil {
		return err
	}
	for _, r := range property.Resources() {
		var names []string
		for key := range m.properties {
			if key.resource == r {
				names = append(names, key.name)
			}
		}
		locked, err := m.load.Tx().Properties.NamedForShare(ctx, r, names)
		if err != nil {
			return err
		}
		for _, d := range locked {
			was := m.properties[propertyKey{r, d.Name}].record
			if d.Kind != was.Kind || !slices.Equal(d.Options, was.Options) {
				return ports.ErrChanged
			}
		}
		if len(locked) < len(names) {
			return ports.ErrChanged
		}
	}
	return nil
}

// propertiesJSON returns v in the form that lines contain, or nil if v is empty.
func propertiesJSON(v property.Values) json.RawMessage {
	if v.IsEmpty() {
		return nil
	}
	return json.RawMessage(v.JSON())
}

func (e *exporter) exportProperties(ctx context.Context) error {
	own, err := e.School(ctx)
	if err != nil {
		return err
	}
	return e.Properties(ctx, func(d property.State) error {
		line := format.Property{
			Kind: format.PropertyKind, Resource: d.Resource.String(), Name: d.Name, Type: d.Kind.String(), Values: d.Options,
			Filterable: d.Filterable, CreatedAt: format.NewInstant(d.CreatedAt), UpdatedAt: format.NewInstant(d.UpdatedAt),
			ID: e.id(d.ID.UUID),
		}
		if v := own.State().Properties.Get(d.Name); d.Resource == property.School && !v.IsNull() {
			line.Value = json.RawMessage(v.JSON())
		}
		return e.write(line)
	})
}
