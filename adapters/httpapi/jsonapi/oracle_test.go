package jsonapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"lyceum/adapters/httpapi/jsonapi"
)

// oracle checks a body like Parse does, but reads the tokens with encoding/json.
type oracle struct {
	*json.Decoder
	values, most int
}

// refusal is the oracle's equivalent of *jsonapi.SyntaxError.
type refusal string

func (r refusal) Error() string { return string(r) }

func refusef(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

func (o *oracle) parse() error {
	if err := o.value(0); err != nil {
		return err
	}
	if _, err := o.Token(); !errors.Is(err, io.EOF) {
		return refusef("The body contains more than one JSON value")
	}
	return nil
}

func (o *oracle) value(depth int) error {
	if o.values++; o.values > o.most {
		return refusef("The body contains more than %d values", o.most)
	}
	token, err := o.next()
	open, ok := token.(json.Delim)
	switch {
	case err != nil || !ok:
		return err
	case depth == jsonapi.MaxDepth:
		return refusef("The body has more than %d levels of nesting", jsonapi.MaxDepth)
	}
	seen := map[string]bool{}
	for o.More() {
		if open == '{' {
			if err := o.name(seen); err != nil {
				return err
			}
		}
		if err := o.value(depth + 1); err != nil {
			return err
		}
	}
	_, err = o.next()
	return err
}

func (o *oracle) name(seen map[string]bool) error {
	token, err := o.next()
	if err != nil {
		return err
	}
	name, _ := token.(string)
	if seen[name] {
		return refusef("The body contains the duplicate key %.60q", name)
	}
	if seen[name] = true; len(seen) > jsonapi.MaxMembers {
		return refusef("The body contains an object with more than %d members", jsonapi.MaxMembers)
	}
	return nil
}

func (o *oracle) next() (json.Token, error) {
	token, err := o.Token()
	if err != nil {
		return nil, refusef("The body is not valid JSON (near byte %d)", o.InputOffset())
	}
	return token, nil
}

// compareWithOracle fails if Parse and the oracle disagree about a body.
func compareWithOracle(t *testing.T, body []byte, most int) {
	t.Helper()
	_, err := jsonapi.Parse(body, most)
	o := oracle{Decoder: json.NewDecoder(bytes.NewReader(body)), most: most}
	o.UseNumber()
	if want := o.parse(); fmt.Sprint(err) != fmt.Sprint(want) {
		t.Fatalf("of %q, at most %d values:\n got %v\nwant %v", body, most, err, want)
	}
}

func FuzzParseAsTheStandardLibrary(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body), 1<<20)
		f.Add([]byte(body), 3)
	}
	f.Fuzz(compareWithOracle)
}

// bodies contains valid bodies, and invalid bodies, each for a different reason.
var bodies = []string{
	"", " ", "null", " null x", `{"a":[1,-2.5e+3,0,"b\n\u00e9"],"c":{"d":true,"e":false}}`, "[1 ", "[1, ", "[1,]", "[,1]", "[1,,2]",
	"[1 2]", "[1:2]", "[}", "{]", `{"a"`, `{"a" `, `{"a":`, `{"a": `, `{"a":}`, `{"a":,`, `{"a":1,}`, `{"a":1 "b":2}`, `{"a":1 :`,
	`{,`, `{1:2}`, `{"a`, `{"a\`, `{"a\u12`, `{"a\x":1}`, "{\"\x00\":1}", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, "{\"\xff\":1,\"\xfe\":2}",
	`{"\ud800":1,"\udfff":2}`, "[01]", "[1.]", "[-]", "[1e]", "[1e+]", "[1ex]", "-", "1.5.5", "tru", "[trux]", "[truee]", "nul l",
	"\v1", "1\v", "\xef\xbb\xbf{}", `"`, `"\`, `"a` + "\n\"", `[{"":0},{"":0}]`, `[[[]]`, `[]]`, `{}{`, `{} "abc`, "[1][", ":", ",", "]",
	strings.Repeat("[", 40), strings.Repeat(`{"a":`, 40), "[" + strings.Repeat(`{"a":[{"b":1},`, 14),
}

// Parse and the oracle agree about random combinations of JSON tokens.
func TestParseAsTheStandardLibrary(t *testing.T) {
	parts := []string{
		"{", "}", "[", "]", ":", ",", " ", "\n", `"`, `\`, "a", `"a"`, `"b":1,`, `"\u0061"`, "true", "null", "-", "0", "1", ".5", "e1", "\xff",
		`"\ud800"`, `{"a":`, `[1,`, "}]", `"c":{},`,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var body strings.Builder
		for range 1 + random.IntN(12) {
			body.WriteString(parts[random.IntN(len(parts))])
		}
		compareWithOracle(t, []byte(body.String()), 1+random.IntN(9))
	}
	for _, names := range []int{15, 16, 17, 18, 999, 1000, 1001, 1002} {
		members := strings.TrimSuffix(membersOf(names), "}")
		for _, rest := range []string{"}", `,"m0":1}`, `,"m14":1}`, `,"m15":1}`, `,"m16":1}`, `,"x":{"m0":1},"m16":2}`, ""} {
			compareWithOracle(t, []byte("["+members+rest+","+members+rest+"]"), plenty)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for name, one := range map[string]string{"empty objects": "{},", "small objects": `{"a":1,"b":"x"},`, "numbers": "1,", "long texts": `"` + strings.Repeat("x", 1000) + `",`} {
		b.Run(name, func(b *testing.B) {
			body := []byte("[" + strings.Repeat(one, 1<<20/len(one)) + "1]")
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonapi.Parse(body, plenty); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
