// Package groups tests the ports of groups, their courses and their memberships.
package groups
