import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { TOKEN_LENGTH_MAX } from '../../kernel/index.ts'
import type { HostedForm } from '../../ramp/index.ts'
import { type App, rawBodyOf, setPageHeaders } from '../http/index.ts'
import { EMPTY_FORM, parseKybForm } from './kyb-fields.ts'
import { formPage, notFoundPage, statusPage } from './kyb-page.ts'

const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: Type.String({ description: 'An HTML page.' }) } },
})

/** The form that the sandbox provider hosts at `kyb_url` (contract 11). It works without JavaScript. */
export function kybFormRoutes(app: App, form: HostedForm): void {
  const tags = ['Ramp: verification']
  const config = { access: 'open', limit: 'anonymous' } as const
  const params = Type.Object({
    token: Type.String({ maxLength: TOKEN_LENGTH_MAX, description: 'Unguessable token of the form.' }),
  })
  const send = (reply: FastifyReply, status: number, html: string) => {
    setPageHeaders(reply, { html })
    reply.header('Cache-Control', 'no-store')
    return reply.code(status).type('text/html; charset=utf-8').serializer(String).send(html)
  }

  app.get(
    '/ramp/kyb/:token',
    {
      config,
      schema: {
        tags,
        operationId: 'showKybForm',
        summary: 'Show a verification form',
        description: 'Serves the HTML page at `kyb_url`.',
        params,
        response: { 200: page('The form, or its status once submitted.'), 404: page('The form does not exist.') },
      },
    },
    async ({ params: { token } }, reply) => {
      const found = await form.find(token)
      if (!found) return send(reply, 404, notFoundPage())
      return send(reply, 200, found.status === 'pending' ? formPage(found.customer, EMPTY_FORM) : statusPage(found))
    },
  )

  app.post(
    '/ramp/kyb/:token',
    {
      config: { ...config, rawBody: true },
      schema: {
        tags,
        operationId: 'sendKybForm',
        summary: 'Submit a verification form',
        description: 'Accepts the form as a browser submits it. A submitted form cannot be changed.',
        consumes: ['application/x-www-form-urlencoded'],
        params,
        body: Type.Object({
          legal_name: Type.String({ description: 'Legal name.' }),
          registration_number: Type.String({ description: 'Registration number.' }),
          country: Type.String({ description: 'Two-letter country code.' }),
          email: Type.String({ description: 'Email address.' }),
          accurate: Type.String({ description: 'Any value confirms that the answers are correct.' }),
        }),
        response: {
          200: page('The form was submitted before: its status.'),
          303: Type.Null({ description: 'The form was submitted: redirect to its status page.' }),
          404: page('The form does not exist.'),
          422: page('The form with its problems marked.'),
        },
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const found = await form.find(token)
      if (!found) return send(reply, 404, notFoundPage())
      if (found.status !== 'pending') return send(reply, 200, statusPage(found))
      const filled = parseKybForm(rawBodyOf(request))
      if (Object.keys(filled.problems).length > 0) return send(reply, 422, formPage(found.customer, filled))
      const { legal_name, registration_number, country, email } = filled.values
      await form.submit(token, {
        legalName: legal_name,
        registrationNumber: registration_number,
        country: country.toUpperCase(),
        email,
      })
      return reply.code(303).header('Location', encodeURIComponent(token)).send(null)
    },
  )
}
