import Type from 'typebox'
import { expect, test } from 'vitest'
import { testServer, v1Write } from '../server/test-server.ts'
import { anyObject, orNull } from './fields.ts'

test('an object of the caller’s own comes back with every name, also one that contains a line break', async () => {
  const body = Type.Object({ metadata: orNull(anyObject('Your own.')) })
  const { app } = await testServer((routes) => {
    routes.post('/v1/things', { config: v1Write, schema: { body, response: { 200: body } } }, async (request) => {
      return { metadata: request.body.metadata }
    })
  })
  const metadata = { plain: 1, '': null, 'two\nlines': { 'and\rmore': [] }, 'a\u2028paragraph': 'text' }
  const headers = { 'x-api-key': 'profile-key', 'content-type': 'application/json' }
  const response = await app.inject({
    method: 'POST',
    url: '/v1/things',
    headers,
    payload: JSON.stringify({ metadata }),
  })
  expect(response.json()).toEqual({ metadata })
  await app.close()
})
