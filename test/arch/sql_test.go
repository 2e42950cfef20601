package arch_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sqlFolder is the folder whose statements are checked.
const sqlFolder = "adapters/postgres"

// unbound lists the tables that may be read without a school, by authentication and by the
// operator: the schools, and the API keys, which identify schools.
var unbound = []string{"schools", "api_keys"}

var (
	created = regexp.MustCompile(`(?is)\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)\s*\((.*?)\n\)`)
	verb    = regexp.MustCompile(`\b(SELECT|INSERT|UPDATE|DELETE)\b`)
	touched = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?(\w+)`)
)

// statement is an SQL text in the source, including the texts that are concatenated with it.
type statement struct {
	at   token.Position
	text string
}

// everySchool is the comment in statements that apply to the rows of every school.
const everySchool = "-- of every school"

// withoutSchool returns statements on a school's table that do not contain school_id. They would
// affect every school.
func withoutSchool(tr tree) []string {
	tenant := tenantTables(tr)
	var bad []string
	for _, st := range statements(tr) {
		if strings.Contains(st.text, everySchool) {
			continue
		}
		for _, table := range tablesOf(st.text) {
			if slices.Contains(tenant, table) && !strings.Contains(st.text, "school_id") {
				bad = append(bad, fmt.Sprintf("%s: touches %s without school_id", st.at, table))
			}
		}
	}
	return bad
}

// tablesWithoutSchool returns tables without a column for the school.
func tablesWithoutSchool(tr tree) []string {
	var bad []string
	for _, file := range slices.Sorted(maps.Keys(tr.migrations)) {
		for _, m := range created.FindAllStringSubmatch(tr.migrations[file], -1) {
			if m[1] != "schools" && !strings.Contains(m[2], "school_id") {
				bad = append(bad, fmt.Sprintf("%s: table %s has no school_id", file, m[1]))
			}
		}
	}
	return bad
}

// tenantTables returns the tables in the migrations whose rows belong to a school.
func tenantTables(tr tree) []string {
	var tables []string
	for _, text := range tr.migrations {
		for _, m := range created.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(unbound, m[1]) {
				tables = append(tables, m[1])
			}
		}
	}
	return tables
}

func tablesOf(sql string) []string {
	var tables []string
	for _, m := range touched.FindAllStringSubmatch(sql, -1) {
		tables = append(tables, m[1])
	}
	slices.Sort(tables)
	return slices.Compact(tables)
}

// statements returns the SQL statements of the Postgres adapter. Concatenated texts, including
// constants of the package, form one statement.
func statements(tr tree) []statement {
	constants := map[string]ast.Expr{}
	for _, s := range tr.production() {
		if s.in(sqlFolder) {
			maps.Copy(constants, constantsOf(s.file))
		}
	}
	var all []statement
	for _, s := range tr.production() {
		if !s.in(sqlFolder) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, whole := textOf(e, constants)
			if whole && (verb.MatchString(text) || len(tablesOf(text)) > 0) {
				all = append(all, statement{tr.fset.Position(e.Pos()), text})
			}
			return !whole
		})
	}
	return all
}

func constantsOf(file *ast.File) map[string]ast.Expr {
	constants := map[string]ast.Expr{}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok || len(value.Values) != len(value.Names) {
				continue
			}
			for i, name := range value.Names {
				constants[name.Name] = value.Values[i]
			}
		}
	}
	return constants
}

// textOf returns the text of the expression e. It reports whether e is a string literal or a
// concatenation that contains one.
func textOf(e ast.Expr, constants map[string]ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.ParenExpr:
		return textOf(e.X, constants)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := part(e.X, constants)
		right, isRight := part(e.Y, constants)
		return left + right, isLeft || isRight
	}
	return "", false
}

// part is like textOf, but for an operand of a concatenation, which may also be a constant.
func part(e ast.Expr, constants map[string]ast.Expr) (string, bool) {
	if name, ok := e.(*ast.Ident); ok && constants[name.Name] != nil {
		return textOf(constants[name.Name], constants)
	}
	return textOf(e, constants)
}
