package arch_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/matryer/is"
)

// TestEachRuleFindsWhatBreaksIt applies each rule to a small module in which some files break the
// rule and others do not.
func TestEachRuleFindsWhatBreaksIt(t *testing.T) {
	const table = "CREATE TABLE categories (\n\tschool_id uuid,\n\tname text\n);\nCREATE TABLE schools (\n\tid uuid\n);\n"
	tests := []struct {
		name  string
		find  func(tree) []string
		files map[string]string
		want  []string
	}{
		{
			name: "the domain imports a store", find: imports,
			files: map[string]string{
				"domain/a/a.go":                         "package a\nimport _ \"lyceum/ports\"",
				"domain/a/a_test.go":                    "package a\nimport _ \"lyceum/ports\"",
				"domain/b/b.go":                         "package b\nimport (\n_ \"strings\"\n_ \"github.com/google/uuid\"\n_ \"lyceum/domain/a\"\n)",
				"test/conformance/storetest/lists/l.go": "package lists\nimport _ \"lyceum/ports\"",
			},
			want: []string{"domain/a/a.go: imports lyceum/ports"},
		},
		{
			name: "normalization outside domain/text", find: imports,
			files: map[string]string{
				"domain/text/t.go": "package text\nimport _ \"golang.org/x/text/cases\"",
				"domain/a/a.go":    "package a\nimport _ \"golang.org/x/text/cases\"",
			},
			want: []string{"domain/a/a.go: imports golang.org/x/text/cases"},
		},
		{
			name: "an adapter imports another", find: imports,
			files: map[string]string{
				"adapters/httpapi/h.go":         "package httpapi\nimport (\n_ \"lyceum/adapters/memory\"\n_ \"lyceum/adapters/httpapi/jsonapi\"\n)",
				"adapters/httpapi/jsonapi/j.go": "package jsonapi\nimport _ \"lyceum/domain/fault\"",
			},
			want: []string{
				"adapters/httpapi/h.go: imports lyceum/adapters/memory",
				"adapters/httpapi/jsonapi/j.go: imports lyceum/domain/fault",
			},
		},
		{
			name: "a path with the prefix of an allowed one", find: imports,
			files: map[string]string{"ports/p.go": "package ports\nimport _ \"lyceum/domainother\""},
			want:  []string{"ports/p.go: imports lyceum/domainother"},
		},
		{
			name: "a folder without rules", find: imports,
			files: map[string]string{"adapters/cache/c.go": "package cache"},
			want:  []string{"adapters/cache/c.go: no rules for this folder"},
		},
		{
			name: "fx outside module.go", find: wiring,
			files: map[string]string{
				"app/module.go":             "package app\nimport _ \"go.uber.org/fx\"",
				"app/people.go":             "package app\nimport _ \"go.uber.org/fx/fxevent\"",
				"adapters/memory/module.go": "package memory\nimport _ \"go.uber.org/fx\"",
				"cmd/lyceum/wire.go":        "package main\nimport _ \"go.uber.org/fx\"",
				"domain/module.go":          "package domain\nimport _ \"go.uber.org/fx\"",
			},
			want: []string{"app/people.go: imports fx", "domain/module.go: imports fx"},
		},
		{
			name: "a part of the conformance suite imports another part", find: suiteImports,
			files: map[string]string{
				suite + "/storetest.go": "package storetest\nimport _ \"lyceum/test/conformance/storetest/people\"",
				suite + "/people/p.go":  "package people\nimport (\n_ \"lyceum/test/conformance/storetest/fixture\"\n_ \"lyceum/test/conformance/storetest/lists\"\n)",
				suite + "/groups/g.go":  "package groups\nimport _ \"lyceum/test/conformance/storetest/people\"",
				suite + "/lists/l.go":   "package lists\nimport _ \"lyceum/test/conformance/storetest/fixture\"",
				suite + "/fixture/f.go": "package fixture\nimport _ \"lyceum/test/conformance/storetest/lists\"",
			},
			want: []string{
				suite + "/fixture/f.go: imports lyceum/" + suite + "/lists", suite + "/groups/g.go: imports lyceum/" + suite + "/people",
			},
		},
		{
			name: "the domain reaches a package indirectly", find: purity,
			files: map[string]string{
				"domain/a/a.go": "package a\nimport _ \"lyceum/domain/b\"",
				"domain/b/b.go": "package b\nimport _ \"lyceum/ports\"",
				"ports/p.go":    "package ports\nimport _ \"github.com/lib/pq\"",
			},
			want: []string{
				"domain/a: reaches github.com/lib/pq", "domain/a: reaches lyceum/ports",
				"domain/b: reaches github.com/lib/pq", "domain/b: reaches lyceum/ports",
			},
		},
		{
			name: "a clock and a new id under other names", find: calls,
			files: map[string]string{
				"domain/a/a.go": "package a\nimport tick \"time\"\nvar now = tick.Now\nvar day = tick.Hour",
				"app/b.go":      "package app\nimport \"github.com/google/uuid\"\nvar id, none = uuid.New(), uuid.Nil",
				"ports/p.go":    "package ports\nimport \"time\"\nvar now = time.Now",
			},
			want: []string{"app/b.go:3:16: names uuid.New", "domain/a/a.go:3:11: names tick.Now"},
		},
		{
			name: "a context and a tag in the domain", find: impurities,
			files: map[string]string{
				"domain/a/a.go":    "package a\nimport _ \"context\"\ntype A struct {\n\tName string `json:\"name\"`\n}",
				"domain/text/e.go": "package text\nimport _ \"net/mail\"",
				"app/b.go":         "package app\nimport _ \"context\"",
			},
			want: []string{"domain/a/a.go: imports context", "domain/a/a.go:4:2: has a tag"},
		},
		{
			name: "a goroutine in a use case", find: goroutines,
			files: map[string]string{
				"app/b.go":             "package app\nfunc f() {\n\tgo f()\n}",
				"adapters/memory/m.go": "package memory\nfunc f() {\n\tgo f()\n}",
			},
			want: []string{"app/b.go:3:2: starts a goroutine"},
		},
		{
			name: "a transaction that knows nothing of dry runs", find: committedByDryRun,
			files: map[string]string{
				"app/b.go":          "package app\nfunc (u U) f() {\n\tu.deps.Store.InTx()\n\tu.deps.InTx()\n}",
				"app/usecase/tx.go": "package usecase\nfunc (d Deps) InTx() {\n\td.Store.InTx()\n}",
				"ports/p.go":        "package ports\nfunc f(store S) {\n\tstore.InTx()\n}",
			},
			want: []string{"app/b.go:3:2: opens a transaction without Deps.InTx"},
		},
		{
			name: "test code in what is shipped", find: testImports,
			files: map[string]string{
				"cmd/lyceum/main.go":      "package main\nimport _ \"lyceum/test/kit/fake\"",
				"cmd/lyceum/main_test.go": "package main\nimport _ \"lyceum/test/kit/fake\"",
				"app/b.go":                "package app\nimport _ \"testing/fstest\"",
			},
			want: []string{"app/b.go: imports testing/fstest", "cmd/lyceum/main.go: imports lyceum/test/kit/fake"},
		},
		{
			name: "a statement without a school", find: withoutSchool,
			files: map[string]string{
				"adapters/postgres/migrations/0001_a.sql": table,
				"adapters/postgres/a.go": "package postgres\n" +
					"const bound = ` WHERE school_id = $1`\n" +
					"const meant = `SELECT count(*) FROM categories -- of every school\n`\n" +
					"const a = `SELECT name FROM categories`\n" +
					"const b = `SELECT name FROM categories` + bound\n" +
					"const c = `SELECT id FROM schools`\n" +
					"func f(s string) string { return `DELETE FROM ` + `categories` + s }",
			},
			want: []string{
				"adapters/postgres/a.go:5:11: touches categories without school_id",
				"adapters/postgres/a.go:8:34: touches categories without school_id",
			},
		},
		{
			name: "a table without a school", find: tablesWithoutSchool,
			files: map[string]string{
				"adapters/postgres/migrations/0001_a.sql": table + "CREATE TABLE facts (\n\tid uuid\n);",
			},
			want: []string{"adapters/postgres/migrations/0001_a.sql: table facts has no school_id"},
		},
		{
			name: "folders of no place and no name", find: folders,
			files: map[string]string{
				"pkg/a.go": "package pkg", "app/util/u.go": "package util",
				".hidden/types/t.go": "package types", "test/tools/go.mod": "module tools", "test/tools/types/t.go": "package types",
			},
			want: []string{"app/util: has a vague name", "pkg: is no folder of the first level"},
		},
		{
			name: "a folder with many files", find: tooFull,
			files: many(51, map[string]string{"ports/a.go": "package ports", "app/a_test.go": "package app_test"}),
			want:  []string{"app: has 51 files, more than 50"},
		},
		{
			name: "package comments", find: undescribed,
			files: map[string]string{
				"app/a.go": "// Package app has the use cases.\npackage app", "app/b.go": "package app",
				"ports/a.go": "// A comment.\npackage ports", "domain/a/a.go": "package a",
				"domain/b/a.go": "// Package b is one.\npackage b", "domain/b/b.go": "// Package b is two.\npackage b",
				"cmd/lyceum/main.go": "// Lyceum is the program.\npackage main", "app/c_test.go": "package app_test",
			},
			want: []string{
				"domain/a: has 0 package comments, want 1", "domain/b: has 2 package comments, want 1",
				"ports/a.go: the package comment does not start with \"Package ports\"",
			},
		},
		{
			name: "a file that is too long", find: tooLong,
			files: map[string]string{
				"app/a.go": "package app\n" + lines(400), "app/b.go": "package app\n" + lines(399),
				"app/a_test.go": "package app\n" + lines(700), "test/conformance/storetest/a.go": "package storetest\n" + lines(699),
			},
			want: []string{
				"app/a.go: has 401 lines, more than 400", "app/a_test.go: has 701 lines, more than 700",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			files := fstest.MapFS{}
			for name, text := range tt.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			is.Equal(tt.find(load(t, files)), tt.want)
		})
	}
}

// many adds n files in the folder app to files.
func many(n int, files map[string]string) map[string]string {
	for i := range n {
		files[fmt.Sprintf("app/f%d.go", i)] = "package app"
	}
	return files
}

func lines(n int) string {
	empty := make([]byte, n)
	for i := range empty {
		empty[i] = '\n'
	}
	return string(empty)
}
