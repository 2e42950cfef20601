package deploy_test

import (
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/matryer/is"
)

func TestCompose(t *testing.T) {
	is := is.New(t)
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  folder,
		ConfigFiles: []types.ConfigFile{{Filename: folder + "/compose.yaml"}},
	})
	is.NoErr(err)
	is.Equal(project.ServiceNames(), []string{"db", "lyceum", "migrate"})
	server, err := project.GetService("lyceum")
	is.NoErr(err)
	is.Equal(server.DependsOn["migrate"].Condition, types.ServiceConditionCompletedSuccessfully)
}
