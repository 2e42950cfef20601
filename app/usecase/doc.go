// Package usecase is what all use cases are made of: on whose behalf they act, what
// they reach the outside by, and the transactions in which they write. It knows no
// resource.
package usecase
