// Package people tests the ports of people: their partnerships, properties and invitations, how
// they sign in, and their deletion.
package people
