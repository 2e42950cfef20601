// Package image builds the runtime stage of docs/deploy/Dockerfile with buildah, from programs that
// Go builds on this machine, and runs the image as far as the machine can. The stage that builds
// the program is not run, because its base image comes from a registry.
package image
