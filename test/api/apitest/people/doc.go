// Package people tests people, learners, groups and partnerships, their relationships, invitations
// and bulk requests.
package people
