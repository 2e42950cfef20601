package cli

import (
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/cmd/server"
)

// schema is a JSON Schema (draft 2020-12) of a settings file or of one of its values.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"` // a string or a []string
	Enum        []string           `json:"enum,omitempty"`
	Default     any                `json:"default,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Closed      *bool              `json:"additionalProperties,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
}

// settingsSchema returns the schema of a settings file that can contain the given settings.
func settingsSchema(settings []*kong.Flag) *schema {
	all := objectSchema()
	all.Dialect, all.Title = "https://json-schema.org/draft/2020-12/schema", "Settings of Lyceum"
	for _, flag := range settings {
		in := all
		section, key, nested := strings.Cut(flag.Name, ".")
		if nested {
			if in = all.Properties[section]; in == nil {
				in = objectSchema()
				all.Properties[section] = in
			}
		} else {
			key = flag.Name
		}
		in.Properties[key] = valueSchema(flag)
	}
	return all
}

func objectSchema() *schema {
	return &schema{Type: []string{"object", "null"}, Closed: new(bool), Properties: map[string]*schema{}}
}

// valueSchema returns the schema of the value of a setting. A value can be null, which means that
// the setting is not set, unless only the values in choices are allowed.
func valueSchema(flag *kong.Flag) *schema {
	s := &schema{Description: flag.Help, Type: []string{"string", "null"}}
	number, err := strconv.Atoi(flag.Default)
	switch {
	case flag.IsBool():
		s.Type = []string{"boolean", "null"}
		s.Default = flag.Default == "true"
	case err == nil:
		s.Type, s.Default = []string{"integer", "null"}, number
	case strings.Contains(flag.Help, "separated by commas"):
		s.Type, s.Items = []string{"string", "array", "null"}, &schema{Type: "string"}
	case choices[flag.Name] != nil:
		s.Type, s.Enum = "string", choices[flag.Name]
	}
	if s.Default == nil && flag.Default != "" {
		s.Default = flag.Default
	}
	return s
}

// choices contains the allowed values of each setting that has a fixed set of values.
var choices = map[string][]string{
	"tls.mode":        names(transport.Modes()...),
	"store":           names(server.Memory, server.Postgres),
	"database.pooler": names(pgdb.PoolerNone, pgdb.PoolerTransaction),
	"mail.mode":       names(mail.Log, mail.SMTP),
	"mail.tls":        names(mail.Mandatory, mail.Opportunistic, mail.Implicit, mail.None),
	"mail.language":   names(mail.English, mail.German),
	"log.level":       {"debug", "info", "warn", "error"},
	"log.format":      {"text", "json"},
}

func names[T ~string](values ...T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}
