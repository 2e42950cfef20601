package postgres

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// These types are the JSON form in which the rows of a part and their errors are stored. No
// statement selects a single row.
type (
	bulkRow struct {
		Number     int                        `json:"number"`
		Subject    string                     `json:"subject,omitempty"`
		Targets    []bulkTarget               `json:"targets,omitempty"`
		FirstName  string                     `json:"first_name,omitempty"`
		LastName   string                     `json:"last_name,omitempty"`
		Properties map[string]json.RawMessage `json:"properties,omitempty"`
		Errors     []bulkRowError             `json:"errors,omitempty"`
	}

	bulkTarget struct {
		Field string `json:"field"`
		Name  string `json:"name"`
	}

	bulkRowError struct {
		Row    int    `json:"row"`
		Field  string `json:"field,omitempty"`
		Kind   string `json:"kind"`
		Detail string `json:"detail"`
	}
)

func encodeRows(rows []bulk.Row) (string, error) {
	kept := make([]bulkRow, len(rows))
	for i, r := range rows {
		kept[i] = bulkRow{Number: r.Number, Subject: r.Subject, FirstName: r.FirstName, LastName: r.LastName, Errors: keptErrors(r.Errors)}
		kept[i].Targets = make([]bulkTarget, len(r.Targets))
		for j, t := range r.Targets {
			kept[i].Targets[j] = bulkTarget(t)
		}
		kept[i].Properties = keptProperties(r.Properties)
	}
	b, err := json.Marshal(kept)
	return string(b), err
}

func decodeRows(s string) ([]bulk.Row, error) {
	var kept []bulkRow
	if err := json.Unmarshal([]byte(s), &kept); err != nil {
		return nil, err
	}
	rows := make([]bulk.Row, len(kept))
	for i, r := range kept {
		errs, err := restoreErrors(r.Errors)
		if err != nil {
			return nil, err
		}
		rows[i] = bulk.Row{Number: r.Number, Subject: r.Subject, FirstName: r.FirstName, LastName: r.LastName, Errors: errs}
		for _, t := range r.Targets {
			rows[i].Targets = append(rows[i].Targets, bulk.Target(t))
		}
		if rows[i].Properties, err = restoreProperties(r.Properties); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func keptProperties(sent map[string]property.Raw) map[string]json.RawMessage {
	kept := make(map[string]json.RawMessage, len(sent))
	for name, r := range sent {
		kept[name] = json.RawMessage(r.JSON())
	}
	return kept
}

func restoreProperties(kept map[string]json.RawMessage) (map[string]property.Raw, error) {
	if len(kept) == 0 {
		return nil, nil
	}
	members, err := decodeMembers(kept)
	if err != nil {
		return nil, err
	}
	return property.RawsOf(members), nil
}

func encodeRowErrors(errs []bulk.RowError) (sql.NullString, error) {
	if len(errs) == 0 {
		return sql.NullString{}, nil
	}
	b, err := json.Marshal(keptErrors(errs))
	return sql.NullString{String: string(b), Valid: true}, err
}

func decodeRowErrors(s string) ([]bulk.RowError, error) {
	if s == "" {
		return nil, nil
	}
	var kept []bulkRowError
	if err := json.Unmarshal([]byte(s), &kept); err != nil {
		return nil, err
	}
	return restoreErrors(kept)
}

func keptErrors(errs []bulk.RowError) []bulkRowError {
	var kept []bulkRowError
	for _, e := range errs {
		kept = append(kept, bulkRowError{Row: e.Row, Field: e.Field, Kind: e.Kind.String(), Detail: e.Detail})
	}
	return kept
}

func restoreErrors(kept []bulkRowError) ([]bulk.RowError, error) {
	var errs []bulk.RowError
	for _, e := range kept {
		kind, ok := fault.ParseKind(e.Kind)
		if !ok {
			return nil, fmt.Errorf("unknown kind of fault %q", e.Kind)
		}
		errs = append(errs, bulk.RowError{Row: e.Row, Field: e.Field, Kind: kind, Detail: e.Detail})
	}
	return errs, nil
}
