import { expect, test } from 'vitest'
import { withExamples } from '../../src/surfaces/http/openapi/with-examples.ts'
import { everyRoute } from '../../testing/surfaces/every-route.ts'
import { type Contract, createContract } from '../money/contract.ts'

/** Operations without an example, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'GET /openapi.json': 'it is this document',
  'GET /api/core/auth/sso/callback': 'only browsers call it, and are redirected',
  'GET /api/core/auth/sso/callback/{id}': 'only browsers call it, and are redirected',
  'POST /api/core/auth/register/confirm': 'it is that of POST /api/core/auth/register',
}

/** Operations whose body has no example, and why. */
const WITHOUT_BODY: Readonly<Record<string, string>> = {
  'POST /api/core/auth/register/confirm': 'it is that of POST /api/core/auth/email-verification/confirm',
}

interface Described {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>
}

/** The document with previews and without: some answers have another shape. */
async function described(preview: boolean) {
  const { app } = await everyRoute({ preview })
  await app.ready()
  const contract = createContract((await withExamples(app.swagger())) as Contract['document'])
  await app.close()
  const answers = Object.entries(contract.document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      (Object.entries(responses) as [string, Described][]).flatMap(([status, { content }]) => {
        const json = content?.['application/json']
        return json && status < '300'
          ? [{ method: method.toUpperCase(), path, status: Number(status), body: json.example }]
          : []
      }),
    ),
  )
  const requests = Object.entries(contract.document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const json = (requestBody as Described | undefined)?.content?.['application/json']
      return json ? [{ method: method.toUpperCase(), path, body: json.example }] : []
    }),
  )
  return { contract, answers, requests }
}

test('every successful answer has an example', async () => {
  const { answers } = await described(true)
  const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  // Where an operation has two statuses, one example is enough.
  const shown = new Set(answers.filter(({ body }) => body !== undefined).map(name))
  const missing = new Set(answers.map(name).filter((each) => !shown.has(each)))
  expect([...missing].sort()).toEqual(Object.keys(WITHOUT).sort())
})

test('every request body has an example', async () => {
  const { requests } = await described(true)
  const missing = requests.filter(({ body }) => body === undefined).map(({ method, path }) => `${method} ${path}`)
  expect(missing.sort()).toEqual(Object.keys(WITHOUT_BODY).sort())
})

test.each([true, false])('every example fits its schema, previews: %s', async (preview) => {
  const { contract, answers, requests } = await described(preview)
  const wrong = answers
    .filter(({ body }) => body !== undefined)
    .flatMap((answer) => contract.bodyBreaches(answer).map((problem) => `${answer.method} ${answer.path}: ${problem}`))
  expect(wrong).toEqual([])
  const refused = requests
    .filter(({ body }) => body !== undefined)
    .flatMap((sent) => contract.requestBreaches(sent).map((problem) => `${sent.method} ${sent.path}: ${problem}`))
  expect(refused).toEqual([])
})
