package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/matryer/is"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestConfigShow(t *testing.T) {
	is := is.New(t)
	file := write(t, "lyceum.yaml", "addr: 127.0.0.1:1\nlog:\n  level: warn\n  format: json\n")
	env := environment{"LYCEUM_CONFIG": file, "LYCEUM_LOG_LEVEL": "debug", "LYCEUM_MAIL_PASSWORD": "mail-secret", "LYCEUM_MAIL_USERNAME": "m"}
	secret := strings.Repeat("s", 40)
	code, out, stderr := lyceum(t, env, "config", "--files.secret="+secret, "--log.format=text", "--docs=false")
	is.Equal(code, 0)
	for _, line := range []string{
		"addr: 127.0.0.1:1 # " + file,
		"  level: debug # LYCEUM_LOG_LEVEL",
		"  format: text # --log.format",
		"docs: false # --docs",
		"store: memory # default",
		"  username: m # LYCEUM_MAIL_USERNAME",
		"  # password: [secret] # LYCEUM_MAIL_PASSWORD",
		"  # secret: [secret] # --files.secret",
		`base-url: "" # not set`,
	} {
		if !slices.Contains(strings.Split(out, "\n"), line) {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
	is.True(!strings.Contains(out+stderr, secret) && !strings.Contains(out+stderr, "mail-secret"))

	// Without the secrets, the output is a settings file with the same effect.
	shown, err := parse(nil, "--config="+write(t, "shown.yaml", out))
	is.NoErr(err)
	want, err := parse(env, "--log.format=text", "--docs=false")
	is.NoErr(err)
	is.Equal(shown.Transport, want.Transport)
	is.Equal(shown.Reference, want.Reference)
	is.Equal(shown.Admission, want.Admission)
}

func TestConfigShowOfInvalidSettings(t *testing.T) {
	is := is.New(t)
	code, out, stderr := lyceum(t, environment{"LYCEUM_STORE": "disk"}, "config", "show")
	is.Equal(code, 1)
	is.True(strings.Contains(out, "store: disk # LYCEUM_STORE\n"))
	is.Equal(stderr, "lyceum: store: must be one of: memory, postgres; got \"disk\"\n")
}

func TestConfigSampleHasTheDefaults(t *testing.T) {
	is := is.New(t)
	code, out, _ := lyceum(t, nil, "config", "sample")
	is.Equal(code, 0)
	sample, err := parse(nil, "--config="+write(t, "sample.yaml", out))
	is.NoErr(err)
	want, err := parse(nil)
	is.NoErr(err)
	sample.Log, want.Log = nil, nil
	is.Equal(sample, want)
	for _, s := range allSettings(t) {
		_, key, _ := strings.Cut("."+s.name, ".")
		key = key[strings.LastIndex(key, ".")+1:]
		if s.name != configFlag && s.name != strictFlag && !strings.Contains(out, key+":") {
			t.Errorf("the sample does not contain %s", s.name)
		}
	}
	for line := range strings.Lines(out) {
		is.True(len(line) <= 101) // with the line break
	}
}

func TestConfigSchema(t *testing.T) {
	code, text, _ := lyceum(t, nil, "config", "schema")
	is.New(t).Equal(code, 0)
	_, sample, _ := lyceum(t, nil, "config", "sample")
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("lyceum.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("lyceum.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file string
		valid      bool
	}{
		{"the sample", sample, true},
		{"a number", "database: {pool-size: 3}", true},
		{"a list", "trusted-proxies: [10.0.0.0/8, 127.0.0.1]\ncors: {origins: [https://a.example]}", true},
		{"a section without settings", "tls:", true},
		{"an unknown section", "databse: {url: x}", false},
		{"an unknown setting", "database: {uri: x}", false},
		{"an unknown value", "store: disk", false},
		{"a text for a number", "database: {pool-size: many}", false},
		{"a number for a boolean", "docs: 1", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			json, err := yaml.YAMLToJSON([]byte(tt.file))
			is.NoErr(err)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(json))
			is.NoErr(err)
			is.Equal(schema.Validate(value) == nil, tt.valid)
			_, err = readFile(write(t, "lyceum.yaml", tt.file), knownSettings(t))
			is.True(err == nil || !tt.valid) // a file that the schema accepts can be read
		})
	}
}

// knownSettings returns the names of all settings of serve.
func knownSettings(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, flag := range settingsOf(serveNode(model(t))) {
		known[flag.Name] = true
	}
	return known
}

// The schema and the errors list the same values.
func TestChoicesAreThoseOfTheErrors(t *testing.T) {
	for setting, values := range choices {
		t.Run(setting, func(t *testing.T) {
			is := is.New(t)
			_, err := parse(nil, "--mail.mode=smtp", "--"+setting+"=nothing")
			is.True(err != nil)
			is.True(strings.Contains(err.Error(), setting+": must be one of: "+strings.Join(values, ", ")+";"))
		})
	}
}
