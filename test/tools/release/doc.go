// The program release builds the archives of a release into a folder: for each platform the server
// program with its license, the licenses of the modules in it, and the files of docs/deploy; next
// to each archive a list of its modules (SBOM) in the format CycloneDX; and SHA256SUMS. The same
// commit and the same version of Go result in the same bytes. It is a separate module, so that the
// server does not depend on the generator of the lists.
package main
