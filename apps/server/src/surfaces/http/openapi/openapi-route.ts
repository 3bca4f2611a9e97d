import Type from 'typebox'
import type { App } from '../app.ts'
import { CompressedFiles, encodingsOf, sendBytes } from '../responses/compressed-files.ts'
import { withExamples } from './with-examples.ts'

const config = { access: 'open', limit: 'anonymous' } as const

/** `GET /openapi.json`, the description of every route (contract 2). */
export function openApiRoute(app: App): void {
  const files = new CompressedFiles()

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
    async (request, reply) => {
      const file = await files.get(
        { name: 'openapi.json', type: 'application/json; charset=utf-8', accepted: encodingsOf(request) },
        async () => Buffer.from(JSON.stringify(await withExamples(app.swagger()))),
      )
      return sendBytes(reply, file)
    },
  )
}
