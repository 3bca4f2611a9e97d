import Type from 'typebox'
import type { App } from '../pipeline/app.ts'
import { withExamples } from './with-examples.ts'

const config = { access: 'open', limit: 'anonymous' } as const

/** `GET /openapi.json`, the description of every route (contract 2). */
export function openApiRoute(app: App): void {
  let document: string | undefined

  app.get(
    '/openapi.json',
    {
      config,
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI 3.1 document of this API',
        description: 'Generated from the routes; `/docs` lists them, and `/docs/api` renders the document.',
        response: {
          200: {
            description: 'The document.',
            content: {
              'application/json': {
                schema: Type.Unsafe<string>(
                  Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }),
                ),
              },
            },
          },
        },
      },
    },
    async (_request, reply) => {
      document ??= JSON.stringify(await withExamples(app.swagger()))
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
}
