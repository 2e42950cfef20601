// Package replicas tests a server whose database has two streaming replicas: which requests they
// serve, how old their answers are, and that a replica that is late or away is not used.
package replicas
