package contract

import (
	"fmt"
)

// Examples compares every example in the document with its schema. It returns the number of
// examples and their problems.
func (c *Contract) Examples() (count int, problems []string) {
	check := func(schema node, path string, value any) {
		count++
		if err := c.validate(schema, value); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %s", path, err))
		}
	}
	var walk func(n node)
	walk = func(n node) {
		switch value := n.value.(type) {
		case []any:
			for i, e := range value {
				walk(node{value: e, pointer: fmt.Sprintf("%s/%d", n.pointer, i)})
			}
		case map[string]any:
			if examples, ok := value["examples"].([]any); ok { // in a schema
				for _, e := range examples {
					check(n, n.pointer, e)
				}
			}
			if schema := n.at("schema"); schema.value != nil { // in a body, a parameter or a header
				if example := n.at("example"); example.value != nil {
					check(schema, n.pointer, example.value)
				}
				for _, name := range n.at("examples").names() {
					check(schema, n.pointer, n.at("examples", name, "value").value)
				}
			}
			for _, name := range n.names() {
				if name != "example" && name != "examples" {
					walk(n.at(name))
				}
			}
		}
	}
	walk(c.document)
	return count, problems
}
