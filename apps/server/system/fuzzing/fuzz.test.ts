import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainAuditEntries } from '../../src/identity/index.ts'
import { expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { createOrganizationFixture, type OrganizationFixture } from '../access/organization-fixture.ts'
import { type Access, ROUTES } from '../access/route-access.ts'
import type { RawResponse } from '../money/contract.ts'
import { type InProcessService, type RawRequest, startInProcessService } from '../service/in-process-service.ts'
import { type DocumentedRoute, exampleValues, requestArbitrary } from './request-arbitraries.ts'
import type { Schema, SchemaSource } from './schema-arbitraries.ts'

/** For more: `FUZZ_REQUESTS=200000 npx vitest run apps/server/system/fuzzing/fuzz.test.ts`. FUZZ_SEED replays a run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 6_000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101)

/** Routes that hash passwords, wait for blocks or return long responses, and their share of a thousand requests. */
const COSTLY: Readonly<Record<string, number>> = {
  'GET /openapi.json': 3,
  'GET /metrics': 10,
  'POST /api/core/auth/register': 3,
  'POST /api/core/auth/login': 3,
  'POST /api/core/auth/password': 3,
  'POST /api/core/auth/password-reset/confirm': 3,
  'POST /api/core/auth/email-verification/confirm': 3,
  'POST /api/core/auth/register/confirm': 3,
  'POST /api/core/auth/invitations/accept': 3,
  'POST /api/core/auth/email': 3,
  'POST /api/core/members': 3,
  'PATCH /api/core/members/{id}': 5,
  'POST /api/core/auth/logout': 0.5,
  'POST /v1/sandbox/faucet': 10,
  'POST /v1/ramp/org/simulate-offramp-transaction': 5,
  'POST /v1/ramp/recipients/{id}/simulate-offramp-transaction': 5,
  'POST /v1/sandbox/advance-time': 0.5,
}
/** Routes that disturb the others run last. */
const LAST = [
  'POST /api/core/auth/logout',
  'POST /v1/sandbox/strategies/{id}/state',
  'POST /v1/sandbox/advance-time',
  'POST /v1/sandbox/chain-faults',
]

let examined: InProcessService
let ours: OrganizationFixture
let theirs: OrganizationFixture
let asked = 0
const answered = new Map<string, number>()

const owner = () => ({ authorization: `Bearer ${ours.tokens.owner}` })
const organizationKey = () => ({ 'x-api-key': ours.keys.organization })
const goodFor = (access: Access) =>
  ['everyone', 'approvers', 'admins', 'owners'].includes(access) ? owner : organizationKey

beforeAll(async () => {
  examined = await startInProcessService()
  theirs = await createOrganizationFixture(examined, 'customer of theirs')
  await renew()
})
afterAll(() => examined?.stop())

/** Makes an organization with valid credentials, after requests have revoked the earlier ones. */
async function renew(): Promise<void> {
  ours = await createOrganizationFixture(examined, 'examined customer')
  await examined.changes.drain()
}

const routes = Object.keys(ROUTES).sort((a, b) => LAST.indexOf(a) - LAST.indexOf(b))
const share =
  (REQUESTS - routes.reduce((sum, route) => sum + costlyRuns(route), 0)) / (routes.length - Object.keys(COSTLY).length)
const runsOf = (route: string) => costlyRuns(route) || Math.ceil(share)
function costlyRuns(route: string): number {
  return Math.ceil(((COSTLY[route] ?? 0) * REQUESTS) / 1_000)
}

describe('any response keeps the contract and reveals no internals, and a refusal changes nothing', () => {
  test.each(routes)('%s', { timeout: 120_000 + REQUESTS * 5 }, async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const { document } = examined.contract
    const documented = document.paths[path]![method.toLowerCase()] as DocumentedRoute
    const source: SchemaSource = { resolve: schemaAt, examples: exampleValues(ours, theirs) }
    const good = goodFor(ROUTES[route]!.access)
    const requests = requestArbitrary(route, documented, source, [
      {},
      { 'x-api-key': theirs.keys.organization, authorization: `Bearer ${theirs.tokens.owner}` },
      { 'x-api-key': ours.keys.admin },
      { 'x-api-key': ours.keys.revoked },
      { 'x-api-key': '\u00e9 __proto__', authorization: 'Bearer a.b.c' },
    ])
    const property = fc.asyncProperty(requests, async (tried) => {
      // Read the valid credential now: earlier requests may have revoked the previous one.
      const request = { ...tried, headers: { ...tried.headers, ...(tried.credential ?? good()) } }
      const answer = await examined.send(request)
      asked += 1
      answered.set(`${answer.status}`, (answered.get(`${answer.status}`) ?? 0) + 1)
      const problems = [...problemsOf(answer), ...(await changesBy(route, answer))]
      if (problems.length > 0)
        throw new Error(`${problems.join('\n')}\n${answer.text.slice(0, 2_000)}\n${replay(request)}`)
      if (!tried.credential && ROUTES[route]!.access !== 'open' && isSpent(answer)) await renew()
    })
    // Reading the audit log chains the entries of earlier requests.
    await chainAuditEntries(examined.parts.db)
    await examined.changes.drain()
    await fc.assert(property, { numRuns: runsOf(route), seed: SEED })
  })

  test('enough requests were sent, and the ledger is consistent afterwards', async () => {
    console.log(`${asked} requests by status:`, Object.fromEntries([...answered].sort()))
    expect(asked).toBeGreaterThanOrEqual(REQUESTS)
    await endFaults()
    await examined.follow()
    await expectValidLedger(examined.parts)
  })
})

async function endFaults(): Promise<void> {
  const client = examined.as(organizationKey())
  for (const blockchain of examined.parts.chains.keys()) {
    for (const fault of ['rpc_down', 'simulation_fails', 'drop_next', 'revert_next', 'delay_next'])
      await client.post('/v1/sandbox/chain-faults', { blockchain, fault, count: 0 })
  }
}

function schemaAt(ref: string): Schema {
  const { components } = examined.contract.document as unknown as { components: { schemas: Record<string, Schema> } }
  return components.schemas[ref.split('/').at(-1) ?? ''] ?? {}
}

/** Words that only the code, the database or the machine would produce. */
const INSIDE =
  /\bat .+:\d+:\d+|node_modules|file:\/\/|\.[mc]?[tj]s:\d+|\/(?:home|root|usr|tmp|var|work)\/|\b(?:select|insert|update|delete) .+ (?:from|into|set) |violates|syntax error|relation "|\bECONN|\bEPIPE\b|(?:Type|Range|Reference|Syntax)Error|is not a function|undefined|kysely|fastify|\bajv\b|argon2|postgres/i
/** Public documents that mention these words, and a page whose script has them. */
const SPEAKS_OF_ITSELF = /^\/(?:openapi\.json|metrics|docs|account)\b/

function problemsOf(answer: RawResponse): string[] {
  const problems = examined.contract.breaches(answer)
  const isUnavailable = answer.status === 503 && answer.text.includes('CHAIN_UNAVAILABLE')
  if (answer.status >= 500 && !isUnavailable) problems.push(`the status is ${answer.status}`)
  const told = SPEAKS_OF_ITSELF.test(answer.path) ? null : INSIDE.exec(answer.text)
  if (told) problems.push(`the answer reveals the inside: ${told[0]}`)
  return problems
}

/** A reused refresh token ends its session, although the request is refused (contract 3). */
const REFUSES_WITH_EFFECT = new Set(['POST /api/core/auth/refresh'])

async function changesBy(route: string, { status, method }: RawResponse): Promise<string[]> {
  const changed = await examined.changes.drain()
  const mayChange = (status < 400 && method !== 'GET') || REFUSES_WITH_EFFECT.has(route)
  return mayChange ? [] : changed.map((change) => `refused or only read, and yet: ${change}`)
}

/** Whether an earlier request revoked the credential. */
function isSpent({ status, text }: RawResponse): boolean {
  return status === 401 || text.includes('API_KEY_DISABLED')
}

/** The request as a command line, with a binary body in base64. */
function replay({ method, path, headers, body }: RawRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const plain = body === undefined || (typeof body === 'string' && /^[\x20-\x7e]*$/.test(body))
  const data = body === undefined ? [] : plain ? [`--data-binary ${quoted(String(body))}`] : ['--data-binary @-']
  const pipe = plain ? '' : `base64 -d <<< ${Buffer.from(bytes!).toString('base64')} | `
  return `${pipe}curl --path-as-is -X ${method} ${[...fields, ...data].join(' ')} ${quoted(`http://127.0.0.1:3000${path}`)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
