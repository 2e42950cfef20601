package cli

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// answering runs a command with an answer on standard input.
func answering(t *testing.T, answer string, env environment, args ...string) (code int, stderr string) {
	t.Helper()
	var out, err output
	code = terminal{in: strings.NewReader(answer), out: &out, err: &err}.run(t.Context(), args, env.lookup)
	return code, err.String()
}

func TestSchoolRenameAndSuspend(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Exclusive(t))
	must(t, env, "school", "create", "--name=Old")
	key := must(t, env, "key", "create", "--school=Old")
	code, _, stderr := lyceum(t, env, "school", "create", "--name=Old")
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: name: a school named \"Old\" already exists\n")

	code, stderr = answering(t, "no\n", env, "school", "rename", "Old", "New")
	is.Equal(code, 1)
	is.True(strings.HasSuffix(stderr, "lyceum: school rename: not confirmed; nothing was changed\n"))
	code, stderr = answering(t, "", env, "school", "rename", "Old", "New")
	is.Equal(code, 1)
	is.True(strings.Contains(stderr, "use --yes in scripts"))
	code, _ = answering(t, "yes\n", env, "school", "rename", "Old", "New")
	is.Equal(code, 0)
	must(t, env, "school", "create", "--name=Taken")
	code, stderr = answering(t, "", env, "school", "rename", "--school=New", "TAKEN") // refused without asking for confirmation
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: name: a school named \"Taken\" already exists\n")

	url := start(t, env, "serve", free, "--files.dir="+t.TempDir()).line(t, greeting)
	must(t, env, "school", "suspend", "New")
	is.Equal(strings.Count(must(t, env, "school", "list"), "SUSPENDED"), 1)
	status, body, err := get(t.Context(), url+"/v2/school", key)
	is.NoErr(err)
	is.Equal(status, http.StatusForbidden)
	is.True(strings.Contains(body, "The school is suspended"))
	must(t, env, "school", "resume", "--school=New")
	eventually(t, func() bool {
		status, _, err := get(t.Context(), url+"/v2/school", key)
		return err == nil && status == http.StatusOK
	})
}

func TestSchoolDelete(t *testing.T) {
	is := is.New(t)
	env, files := onPostgres(t, pgtest.Exclusive(t)), t.TempDir()
	must(t, env, "school", "create", "--name=Other")
	must(t, env, "school", "create", "--name=Gone")
	must(t, env, "demo", "--school=Gone", "--people=20", "--files.dir="+files)
	stored, err := filepath.Glob(files + "/submissions/*/*.file")
	is.NoErr(err)
	is.True(len(stored) > 0)
	code, stderr := answering(t, "gone\n", env, "school", "delete", "Gone", "--files.dir="+files)
	is.Equal(code, 1)
	is.True(strings.HasSuffix(stderr, "lyceum: school delete: not confirmed; nothing was changed\n"))
	left := stored[0]
	id := filepath.Base(filepath.Dir(left))
	code, _ = answering(t, "Gone\n", env, "school", "delete", "Gone", "--files.dir="+files)
	is.Equal(code, 0)
	stored, err = filepath.Glob(files + "/submissions/*/*.file")
	is.NoErr(err)
	is.Equal(len(stored), 0)

	// An interrupted deletion has left a file of the school.
	is.NoErr(os.MkdirAll(filepath.Dir(left), 0o700))
	is.NoErr(os.WriteFile(left, nil, 0o600))
	for answer, args := range map[string][]string{"Gone\n": {id}, "": {id, "--yes"}, id + "\n": {"Gone"}} {
		code, _ = answering(t, answer, env, append([]string{"school", "delete", "--files.dir=" + files}, args...)...)
		is.Equal(code, 1)
	}
	_, err = os.Stat(left)
	is.NoErr(err)
	code, stderr = answering(t, id+"\n", env, "school", "delete", id, "--files.dir="+files)
	is.Equal(code, 0)
	is.True(strings.HasSuffix(stderr, "Deleted the files of the school "+id+".\n"))
	_, err = os.Stat(left)
	is.True(errors.Is(err, fs.ErrNotExist))
	list := must(t, env, "school", "list")
	is.True(strings.Contains(list, "Other") && !strings.Contains(list, "Gone"))
}
