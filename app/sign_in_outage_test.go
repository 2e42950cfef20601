package app_test

import (
	"cmp"
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/auth"
	"lyceum/app/teaching"
	groups "lyceum/domain/group"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// adaAddress is the email address of the learner of a classroom.
const adaAddress = "ada@example.test"

// The secret of the server, and the secret that signs the entry links of the school of a classroom.
const serverSecret, entrySecret = "a secret of the server", "the secret of the entry links of Acme"

// senderFunc sends emails with sign-in links.
type senderFunc func(m signin.Message) error

// SendSignIn implements ports.SignInSender.
func (f senderFunc) SendSignIn(_ context.Context, m signin.Message) error { return f(m) }

// signInCases contains the use cases of the academy, for TestOutageAtEveryCall.
func signInCases() map[string]unavailableCase {
	var token, session, course, group string
	const code = "SPRING"
	var s school.State
	var v auth.Visitor
	link := func(t *testing.T, c *classroom) {
		is := is.New(t)
		found, err := c.schools.Get(c.ctx, c.school)
		is.NoErr(err)
		s = found.State()
		token, err = c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
		is.NoErr(err)
	}
	visit := func(t *testing.T, c *classroom) {
		link(t, c)
		is := is.New(t)
		in, err := c.SignIns.UseLink(c.ctx, s, token, "A browser")
		is.NoErr(err)
		session = in.Token
		v, err = c.SignIns.Visitor(c.ctx, s, session)
		is.NoErr(err)
		is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
			latin, err := tx.Courses.Get(ctx, c.courses["latin"])
			course = latin.EnrollToken
			return err
		}))
		name := "Readers"
		made, err := c.Groups.Create(c.ctx, c.actor, groups.Changes{Name: &name})
		is.NoErr(err)
		group = made.EnrollToken
		_, err = c.Coupons.Create(c.ctx, c.actor, terms(code))
		is.NoErr(err)
	}
	var e signin.Entry
	entrance := func(t *testing.T, c *classroom) {
		c.SetServerSecret(serverSecret)
		s, e = c.withEntryLinks(t), entryOf(c, adaAddress)
	}
	request := func(t *testing.T, c *classroom) {
		link(t, c)
		is.New(t).NoErr(c.SignIns.Request(c.ctx, s, adaAddress, "/courses", false))
	}
	return map[string]unavailableCase{
		"Provision.UpdateSchool": {run: func(c *classroom) error {
			slug := "other"
			_, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Slug: &slug})
			return err
		}},
		"Provision.NewEntrySecret": {run: func(c *classroom) error {
			c.SetServerSecret(serverSecret) // the store of c fails, so its use cases are others
			_, err := c.Provision.NewEntrySecret(c.ctx, c.school)
			return err
		}},
		"SignIns.School":     {run: func(c *classroom) error { _, err := c.SignIns.School(c.ctx, "acme"); return err }},
		"SignIns.OnlySchool": {run: func(c *classroom) error { _, err := c.SignIns.OnlySchool(c.ctx); return err }},
		"SignIns.CreateLink": {run: func(c *classroom) error {
			_, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
			return err
		}},
		"SignIns.CreateLinkBy": {run: func(c *classroom) error {
			_, err := c.SignIns.CreateLinkBy(c.ctx, c.actor, adaAddress, teaching.CheckLink)
			return err
		}},
		"SignIns.CreateLinkOfInvited": {run: func(c *classroom) error {
			p, err := c.store.Read(c.school).People.Get(c.ctx, c.ada)
			if err != nil {
				return err
			}
			_, err = c.SignIns.CreateLinkOfInvited(c.ctx, c.school, p)
			return err
		}},
		"SignIns.Request": {before: link, run: func(c *classroom) error { return c.SignIns.Request(c.ctx, s, "eve@example.test", "", false) }},
		"SignIns.Link":    {before: link, run: func(c *classroom) error { _, err := c.SignIns.Link(c.ctx, s, token); return err }},
		"SignIns.UseLink": {before: link, run: func(c *classroom) error { _, err := c.SignIns.UseLink(c.ctx, s, token, ""); return err }},
		"SignIns.Visitor": {before: visit, run: func(c *classroom) error { _, err := c.SignIns.Visitor(c.ctx, s, session); return err }},
		"SignIns.Sessions": {before: visit, run: func(c *classroom) error {
			_, err := c.SignIns.Sessions(c.ctx, c.school, v.Person.ID)
			return err
		}},
		"SignIns.End":    {before: visit, run: func(c *classroom) error { return c.SignIns.End(c.ctx, v, v.Session.ID) }},
		"SignIns.EndAll": {before: visit, run: func(c *classroom) error { return c.SignIns.EndAll(c.ctx, v) }},
		"SignIns.Enter": {before: entrance, run: func(c *classroom) error {
			c.SetServerSecret(serverSecret)
			_, err := c.SignIns.Enter(c.ctx, s, e, e.Sign(entrySecret), "")
			return err
		}},
		"SignIns.CompleteSSO": ssoCase(),
		"SignIns.Sweep":       {worker: true, run: func(c *classroom) error { return worked(c.SignIns.Sweep(c.ctx)) }},
		"SignInDelivery.DeliverNext": {
			worker: true, before: request,
			run: func(c *classroom) error {
				c.SignInDelivery.SetSender(senderFunc(func(signin.Message) error { return nil }))
				return worked(c.SignInDelivery.DeliverNext(c.ctx))
			},
		},
		"SignInDelivery.DeliverNextToStranger": {
			worker: true, before: func(t *testing.T, c *classroom) {
				is, open := is.New(t), school.Open
				s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
				is.NoErr(err)
				is.NoErr(c.SignIns.Request(c.ctx, s, "stranger@example.test", "", false))
			},
			run: func(c *classroom) error {
				c.SignInDelivery.SetSender(senderFunc(func(signin.Message) error { return nil }))
				first := worked(c.SignInDelivery.DeliverNext(c.ctx)) // leaves the email to the other
				return cmp.Or(first, worked(c.SignInDelivery.DeliverNextToStranger(c.ctx)))
			},
		},
		"Academy.Courses": {before: visit, run: func(c *classroom) error { _, err := c.Academy.Courses(c.ctx, v); return err }},
		"Academy.Cover": {before: visit, run: func(c *classroom) error {
			_, err := c.Academy.Cover(c.ctx, s, &v, c.courses["latin"].String())
			return err
		}},
		"Academy.CourseByToken": {before: visit, run: func(c *classroom) error {
			_, err := c.Academy.CourseByToken(c.ctx, c.school, course)
			return err
		}},
		"Academy.GroupByToken": {before: visit, run: func(c *classroom) error {
			_, err := c.Academy.GroupByToken(c.ctx, c.school, group)
			return err
		}},
		"Academy.Enroll": {before: visit, run: func(c *classroom) error { _, err := c.Academy.Enroll(c.ctx, v, course); return err }},
		"Academy.Join":   {before: visit, run: func(c *classroom) error { _, err := c.Academy.Join(c.ctx, v, group); return err }},
		"Academy.Redeem": {before: visit, run: func(c *classroom) error { _, err := c.Academy.Redeem(c.ctx, v, code); return err }},
	}
}
