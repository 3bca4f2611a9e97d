import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganizationFixture, type OrganizationFixture } from '../access/organization-fixture.ts'
import { ROUTES } from '../access/route-access.ts'
import { type InProcessService, startInProcessService } from '../service/in-process-service.ts'
import { leastCost } from './measure-cost.ts'

/** Node refuses a request whose line and headers are longer than 16 KiB; the longest shapes stay below. */
const BYTES = 14_000
/** Far beyond what any valid request takes, on a slow machine too; work that grows with the square takes longer. */
const BUDGET_MS = 100

/** What troubles patterns, decoders and parsers. */
const FILLERS: Readonly<Record<string, string>> = {
  letters: 'a'.repeat(BYTES),
  digits: '9'.repeat(BYTES),
  'digits and letters': '1e'.repeat(BYTES / 2),
  commas: ','.repeat(BYTES),
  'encoded letters': '%61'.repeat(BYTES / 3),
  'broken encodings': '%'.repeat(BYTES),
  dots: '.'.repeat(BYTES),
  'an address of many parts': `a@${'a.'.repeat(BYTES / 2 - 2)}`,
}
/** Query strings as a whole, whatever parameters the route has. */
const QUERIES: Readonly<Record<string, string>> = {
  'many names': Array.from({ length: BYTES / 8 }, (_, at) => `n${at}=1`)
    .join('&')
    .slice(0, BYTES),
  'one name again and again': 'limit=1&'.repeat(BYTES / 8),
  'nested brackets': `a${'[b]'.repeat(BYTES / 3 - 3)}=1`,
  ampersands: '&'.repeat(BYTES),
  prototypes: '__proto__[a]=1&'.repeat(BYTES / 15),
}
const HEADERS = [
  'accept',
  'authorization',
  'x-api-key',
  'idempotency-key',
  'change-request-id',
  'x-forwarded-for',
  'user-agent',
  'cookie',
  'origin',
  'last-event-id',
]

let service: InProcessService
let organization: OrganizationFixture
beforeAll(async () => {
  service = await startInProcessService()
  organization = await createOrganizationFixture(service, 'a customer')
})
afterAll(() => service?.stop())

const costly: string[] = []
async function measure(what: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const credential = {
    'x-api-key': organization.keys.organization,
    authorization: `Bearer ${organization.tokens.owner}`,
  }
  const cost = await leastCost(service, { method, path, headers: { ...credential, ...headers } }, BUDGET_MS)
  if (cost > BUDGET_MS) costly.push(`${method} ${what}: ${Math.round(cost)} ms`)
}
const routes = Object.keys(ROUTES).map((route) => route.split(' ') as [string, string])
const numbered = (path: string) => path.replaceAll(/\{\w+\}/g, '1')

test('no query string costs more than its length allows, on any route, nor any of its parameters', {
  timeout: 300_000,
}, async () => {
  const tried = new Set<string>()
  for (const [, path] of routes.filter(([method]) => method === 'GET')) {
    for (const [shape, query] of Object.entries(QUERIES))
      await measure(`${path}?${shape}`, `${numbered(path)}?${query}`)
    const documented = service.contract.document.paths[path]?.get as { parameters?: { in: string; name: string }[] }
    for (const parameter of documented.parameters ?? []) {
      const kind = JSON.stringify(parameter)
      if (parameter.in !== 'query' || tried.has(kind)) continue
      tried.add(kind)
      for (const [shape, filler] of Object.entries(FILLERS))
        await measure(`${path}?${parameter.name}=${shape}`, `${numbered(path)}?${parameter.name}=${filler}`)
    }
  }
  expect(costly.splice(0)).toEqual([])
})

test('no path costs more than its length allows', { timeout: 300_000 }, async () => {
  for (const [, path] of routes.filter(([method, of]) => method === 'GET' && of.includes('{'))) {
    for (const [shape, filler] of Object.entries(FILLERS))
      await measure(`${path} with ${shape}`, path.replaceAll(/\{\w+\}/g, filler.slice(0, 1_000)))
  }
  for (const [shape, filler] of Object.entries(FILLERS)) await measure(shape, `/${filler}`)
  await measure('many parts', '/a'.repeat(BYTES / 2))
  expect(costly.splice(0)).toEqual([])
})

test.each(HEADERS)('no value of the header %s costs more than its length allows', async (header) => {
  for (const [shape, filler] of Object.entries(FILLERS)) {
    await measure(`${header} of ${shape}`, '/api/core/wallets', { [header]: filler })
    await measure(`${header} of ${shape}`, '/v1/wallets', { [header]: filler })
    await measure(`${header} of ${shape}`, '/api/core/auth/logout', { [header]: filler }, 'POST')
  }
  expect(costly.splice(0)).toEqual([])
})
