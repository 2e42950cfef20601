package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// configCmd contains the commands that print settings without starting a server.
type configCmd struct {
	Show   configShowCmd   `cmd:"" default:"withargs" help:"Print the settings in effect and where each comes from. Secrets are not shown."`
	Sample configSampleCmd `cmd:"" help:"Print a settings file with all settings, their descriptions and defaults."`
	Schema configSchemaCmd `cmd:"" help:"Print the JSON Schema of the settings file, for editors."`
}

type configShowCmd struct {
	settings
}

// Run prints the settings and returns the errors of invalid settings.
func (c *configShowCmd) Run(ctx *kong.Context, s *sources, t terminal) error {
	var file settingsFile
	file.comment("The settings in effect. The comment after a setting says where it comes from.")
	for _, flag := range settingsOf(ctx.Selected()) {
		value, from := ctx.FlagValue(flag), origin(ctx, s, flag)
		if fmt.Sprint(value) == "" {
			from = "not set"
		}
		file.show(flag.Name, value, from)
	}
	if _, err := t.out.Write(file.Bytes()); err != nil {
		return err
	}
	var r settingsParser
	return r.with(c.read(&r, io.Discard))
}

// origin returns where the value of a setting comes from: a flag, an environment variable, the
// settings file or its default.
func origin(ctx *kong.Context, s *sources, flag *kong.Flag) string {
	for _, p := range ctx.Path {
		if p.Flag == flag && !p.Resolved {
			return "--" + flag.Name
		}
	}
	switch {
	case s.variable(flag.Name) != nil:
		return variable(flag.Name)
	case s.file[flag.Name] != "":
		return s.fileName
	}
	return "default"
}

type configSampleCmd struct{}

// Run prints the sample settings file.
func (c *configSampleCmd) Run(model *kong.Application, t terminal) error {
	var file settingsFile
	file.comment("All settings of Lyceum with their defaults. Settings without a default are comments.")
	for _, flag := range settingsOf(serveNode(model)) {
		file.explain(flag.Name, flag.Help, flag.Default)
	}
	_, err := t.out.Write(file.Bytes())
	return err
}

type configSchemaCmd struct{}

// Run prints the JSON Schema of the settings file.
func (c *configSchemaCmd) Run(model *kong.Application, t terminal) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(settingsSchema(settingsOf(serveNode(model)))); err != nil {
		return err
	}
	_, err := t.out.Write(text.Bytes())
	return err
}

// serveNode returns the command serve, which has all settings.
func serveNode(model *kong.Application) *kong.Node {
	for _, child := range model.Children {
		if child.Name == "serve" {
			return child
		}
	}
	return nil
}

// settingsOf returns the settings of a command in the order of their declaration.
func settingsOf(command *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for _, flag := range command.Flags {
		if flag.Group != nil {
			all = append(all, flag)
		}
	}
	return all
}
