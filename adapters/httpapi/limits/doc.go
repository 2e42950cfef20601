// Package limits bounds what clients can make the server do: how many requests
// of each class run at a time, how often they are sent, how closely they follow
// each other, and how slowly a client may move bytes. It decides by numbers
// alone; package httpapi asks it.
package limits
