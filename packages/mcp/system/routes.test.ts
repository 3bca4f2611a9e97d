import { readFileSync } from 'node:fs'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../scripts/openapi/openapi-document.ts'
import { Weir } from '../../sdk/src/index.ts'
import { createServer } from '../src/create-server.ts'
import { LEFT_OUT } from './left-out.ts'

interface Described {
  readonly 'x-permission'?: string
  readonly 'x-service-accounts'?: true
}
/** What the tools of an assistant read, each called with the least and with the most input. */
interface Observed {
  /** The routes that each tool requested. */
  readonly routes: ReadonlyMap<string, ReadonlySet<string>>
  /** What the service answered, and what the assistant got of it. */
  readonly answers: string
  readonly results: string
}
interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

const EXAMPLES: Readonly<Record<string, { readonly 200?: unknown }>> = JSON.parse(
  readFileSync(new URL('../../../apps/server/src/surfaces/http/openapi/examples.json', import.meta.url), 'utf8'),
)
/** A change request that opens a bank account for payouts, as approvers see it, in both spellings. */
const PAYOUT_REQUEST = {
  success: true,
  data: {
    id: 3,
    kind: 'payout_accounts',
    request: {
      method: 'POST',
      path: '/v1/ramp/recipients/1/offramp-accounts',
      body: {
        bank_details: { account_number: '****6789', account_holder_name: 'Jane Doe', bank_name: 'Example Bank' },
        bankDetails: { accountNumber: '****6789', accountHolderName: 'Jane Doe', bankName: 'Example Bank' },
      },
    },
  },
}
/** Posts that change nothing. */
const READING_POSTS = [
  'POST /api/core/apikeys/validate',
  'POST /api/core/approval-policy/evaluate',
  'POST /api/core/wallets/monitored/{id}/rebalance-preview',
]
/** Tools that read pages of the documents, which are no routes of the document. */
const OF_PAGES = ['search_docs', 'read_doc']

let described: ReadonlyMap<string, Described>
let withKey: Observed
let withAccount: Observed

beforeAll(async () => {
  const { paths } = (await openApiDocument({ examples: false })) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  described = new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  )
  withKey = await observe({ key: true, serviceAccount: false })
  withAccount = await observe({ key: false, serviceAccount: true })
})

/** Calls every tool through an MCP client, against a service that answers with the examples of its reference. */
async function observe(has: { readonly key: boolean; readonly serviceAccount: boolean }): Promise<Observed> {
  let requested = new Set<string>()
  const answers: unknown[] = []
  const weir = new Weir({
    baseUrl: 'http://service',
    apiKey: 'svc_sandbox_x',
    maxRetries: 0,
    fetch: async (input, init) => {
      const { method, url } = new Request(input, init)
      const route = routeOf(method, new URL(url).pathname)
      requested.add(route)
      const { 200: example = {} } = EXAMPLES[route] ?? {}
      const answer = route === 'GET /api/core/change-requests/{id}' ? PAYOUT_REQUEST : example
      answers.push(answer)
      return Response.json(answer)
    },
  })
  const server = createServer({ weir, version: '0.0.0', has, plans: false })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [own, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(other), client.connect(own)])
  const routes = new Map<string, ReadonlySet<string>>()
  const results: unknown[] = []
  const { tools } = await client.listTools()
  for (const { name, inputSchema } of tools.filter((tool) => !OF_PAGES.includes(tool.name))) {
    requested = new Set()
    for (const input of inputsOf(inputSchema as JsonSchema)) {
      const result = await client.callTool({ name, arguments: input })
      expect(result.isError, `${name}: ${JSON.stringify(result.content)}`).not.toBe(true)
      results.push(result.structuredContent)
    }
    routes.set(name, requested)
  }
  await client.close()
  return { routes, answers: JSON.stringify(answers), results: JSON.stringify(results) }
}

/** The documented route of a request; a path without parameters goes before one with them. */
function routeOf(method: string, path: string): string {
  const fits = (route: string) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`)
  const [found] = [...described.keys()]
    .filter(fits)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
  if (found === undefined) throw new Error(`no route is documented for ${method} ${path}`)
  return found
}

/** The input with only what a tool requires, and that with everything. */
function inputsOf({ properties = {}, required = [] }: JsonSchema): readonly Record<string, unknown>[] {
  const every = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema)] as const)
  return [Object.fromEntries(every.filter(([name]) => required.includes(name))), Object.fromEntries(every)]
}

function exampleOf({ type, enum: words, format, pattern }: JsonSchema): unknown {
  if (words) return words[0]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (format === 'date-time') return '2026-01-01T00:00:00Z'
  if (format === 'date') return '2026-01-01'
  return pattern === undefined ? 'USDC' : '1000000'
}

const routesOf = ({ routes }: Observed) => [...routes.values()].flatMap((each) => [...each])
const isGet = (route: string) => route.startsWith('GET ')

test('every GET route of the reference is read by a tool, or is left out for a reason', () => {
  const read = new Set([...routesOf(withKey), ...routesOf(withAccount)].filter(isGet))
  const leftOut = LEFT_OUT.flatMap(({ routes }) => routes)
  expect(leftOut.filter((route) => read.has(route))).toEqual([])
  expect([...read, ...leftOut].toSorted()).toEqual([...described.keys()].filter(isGet).toSorted())
})

test('what is left out because it needs a person is closed to keys and service accounts', () => {
  for (const { routes, needsPerson } of LEFT_OUT) {
    for (const route of needsPerson ? routes : []) {
      expect(described.get(route), route).not.toHaveProperty('x-permission')
      expect(described.get(route), route).not.toHaveProperty('x-service-accounts')
    }
  }
})

test('the page for people names everything that is left out, with the reason', () => {
  const page = readFileSync(new URL('../../../docs/assistants.md', import.meta.url), 'utf8')
  const rows = [
    ...page
      .split('## What can it not read?')[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| (?!Left|-)(.+) \|$/gm),
  ]
  expect(rows.map(([, row]) => row)).toEqual(LEFT_OUT.map(({ what, why }) => `${what} | ${why}`))
})

describe.each([
  ['an API key', () => withKey, 'x-permission'],
  ['a service account', () => withAccount, 'x-service-accounts'],
] as const)('the tools for %s', (_credential, observed, mark) => {
  test('request only what it may call', () => {
    for (const [tool, routes] of observed().routes) {
      // Keys of every kind may ask what they may do.
      const limited = [...routes].filter((route) => route !== 'POST /api/core/apikeys/validate')
      for (const route of limited) expect(described.get(route), `${tool}: ${route}`).toHaveProperty(mark)
      expect(routes.size, tool).toBeGreaterThan(0)
    }
  })

  test('change nothing', () => {
    expect(routesOf(observed()).filter((route) => !isGet(route) && !READING_POSTS.includes(route))).toEqual([])
  })
})

test.each([
  ['numbers of bank accounts', /account_number|accountNumber|\*6789/],
  ['holders of bank accounts', /account_holder|accountHolder|Jane Doe/],
  ['links to forms of verification', /kyb_url|applicationUrl|\/ramp\/kyb\//],
  ['postal addresses', /street1|postal_code/],
  ['paths of the receivers of webhooks', /hooks\.example\/\w/],
  ['bytes to sign', /unsignedTransaction|0x[0-9a-f]{100}/],
  ['previews of secrets', /sa_sandbox_/],
])('results have no %s, though the service answers with them', (_what, pattern) => {
  expect(`${withKey.answers}${withAccount.answers}`).toMatch(pattern)
  expect(`${withKey.results}${withAccount.results}`).not.toMatch(pattern)
})

test('the numbers of bank accounts are in no result under another name', () => {
  const numbers = [...withKey.answers.matchAll(/account_number":"([*\d]+)"/g)].map(([, number]) => number)
  expect(numbers.length).toBeGreaterThan(0)
  for (const number of numbers) expect(withKey.results).not.toContain(number)
})
