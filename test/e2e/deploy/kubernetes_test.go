package deploy_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/matryer/is"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	strict "sigs.k8s.io/yaml"
)

// folder contains the files that the tests check.
const folder = "../../../docs/deploy"

// cluster contains the objects of kubernetes.yaml.
type cluster struct {
	config     corev1.ConfigMap
	claim      corev1.PersistentVolumeClaim
	job        batchv1.Job
	deployment appsv1.Deployment
	budget     policyv1.PodDisruptionBudget
	service    corev1.Service
	ingress    networkingv1.Ingress
}

// TestKubernetes decodes every object of kubernetes.yaml into its type of the Kubernetes API, in
// which every field must exist. Then it checks that the objects fit together.
func TestKubernetes(t *testing.T) {
	is := is.New(t)
	c := load(t)
	pod := c.deployment.Spec.Template.Spec
	server := pod.Containers[0]

	t.Run("the selectors match the pods", func(t *testing.T) {
		is := is.New(t)
		labels := c.deployment.Spec.Template.Labels
		is.Equal(c.deployment.Spec.Selector.MatchLabels, labels)
		is.Equal(c.service.Spec.Selector, labels)
		is.Equal(c.budget.Spec.Selector.MatchLabels, labels)
	})
	t.Run("the ports exist", func(t *testing.T) {
		is := is.New(t)
		has := func(name string) bool {
			return slices.ContainsFunc(server.Ports, func(p corev1.ContainerPort) bool { return p.Name == name })
		}
		is.True(has(c.service.Spec.Ports[0].TargetPort.String()))
		for _, probe := range []*corev1.Probe{server.StartupProbe, server.LivenessProbe, server.ReadinessProbe} {
			is.True(has(probe.HTTPGet.Port.String()))
		}
	})
	t.Run("the volumes exist", func(t *testing.T) {
		is := is.New(t)
		for _, spec := range []corev1.PodSpec{pod, c.job.Spec.Template.Spec} {
			for _, m := range spec.Containers[0].VolumeMounts {
				is.True(slices.ContainsFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name }))
			}
		}
		is.Equal(pod.Volumes[2].PersistentVolumeClaim.ClaimName, c.claim.Name)
		is.Equal(pod.Volumes[0].ConfigMap.Name, c.config.Name)
	})
	t.Run("the job uses the image of the servers", func(t *testing.T) {
		is := is.New(t)
		is.Equal(c.job.Spec.Template.Spec.Containers[0].Image, server.Image)
	})
	t.Run("the ingress leads to the service", func(t *testing.T) {
		is := is.New(t)
		backend := c.ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service
		is.Equal(backend.Name, c.service.Name)
		is.Equal(backend.Port.Name, c.service.Spec.Ports[0].Name)
	})
	t.Run("the pod has time to stop", func(t *testing.T) {
		is := is.New(t)
		const delayTimeoutAndCleanup = 10 + 10 + 5 // seconds; see shutdown.delay in the file
		is.True(*pod.TerminationGracePeriodSeconds > delayTimeoutAndCleanup)
	})
	is.True(*c.deployment.Spec.Replicas > 1)
}

// TestSettingsFile checks that the server program accepts the settings file in kubernetes.yaml.
func TestSettingsFile(t *testing.T) {
	is := is.New(t)
	secrets := t.TempDir()
	for name, text := range map[string]string{"database-url": "postgres://u:p@db/lyceum", "files-secret": "0123456789abcdef0123456789abcdef"} {
		is.NoErr(os.WriteFile(filepath.Join(secrets, name), []byte(text), 0o600))
	}
	text := bytes.ReplaceAll([]byte(load(t).config.Data["lyceum.yaml"]), []byte("/secrets/"), []byte(secrets+"/"))
	file := filepath.Join(t.TempDir(), "lyceum.yaml")
	is.NoErr(os.WriteFile(file, text, 0o600))
	out, err := lyceum(t, "config", "show", "--config", file)
	t.Log(out)
	is.NoErr(err)
}

func load(t *testing.T) cluster {
	t.Helper()
	is := is.New(t)
	text, err := os.ReadFile(folder + "/kubernetes.yaml")
	is.NoErr(err)
	var c cluster
	targets := map[string]any{
		"ConfigMap": &c.config, "PersistentVolumeClaim": &c.claim, "Job": &c.job, "Deployment": &c.deployment,
		"PodDisruptionBudget": &c.budget, "Service": &c.service, "Ingress": &c.ingress,
	}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document map[string]any
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		is.NoErr(err)
		kind, _ := document["kind"].(string)
		target, ok := targets[kind]
		if !ok {
			t.Fatalf("kubernetes.yaml: kind %q is unknown or occurs twice", kind)
		}
		delete(targets, kind)
		one, err := yaml.Marshal(document)
		is.NoErr(err)
		if err := strict.UnmarshalStrict(one, target); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
	}
	is.Equal(len(targets), 0) // every object is there
	return c
}
