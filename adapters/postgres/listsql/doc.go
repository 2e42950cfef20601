// Package listsql compiles a query.Query to SQL and runs it: a filter becomes a WHERE clause, a
// cursor becomes a range of an index, and a search in other tables becomes a statement that stops
// early. The package does not depend on any table: a Definition declares the table and the SQL
// expression of each attribute. Start with List and Definition.
package listsql
