// Package routes lists the paths of the API with their methods and with records to request.
package routes
