// Chooses the examples of the OpenAPI document from calls that tests recorded:
//   RECORD_EXAMPLES=/tmp/answers.jsonl npx vitest run <files> && node scripts/documents/write-examples.ts /tmp/answers.jsonl
// Name no fuzzing test: nobody would write what it sends. Operations of which nothing was recorded keep their example. A
// request is the one of the answer that is shown.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hasShape } from '../../apps/server/src/surfaces/http/openapi/with-examples.ts'
import { openApiDocument } from '../openapi/openapi-document.ts'

interface Answer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
  readonly sent?: unknown
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}
interface Described {
  readonly paths: Record<
    string,
    Record<string, { readonly requestBody?: Content; readonly responses: Record<string, Content> }>
  >
}
interface Example {
  readonly score: number
  readonly body: unknown
  readonly sent: unknown
}

const FILE = fileURLToPath(new URL('../../apps/server/src/surfaces/http/openapi/examples.json', import.meta.url))
/** A longer answer shows nothing more. */
const CHARACTERS_MAX = 2_000
const REQUEST_CHARACTERS_MAX = 400
const ENTRIES_MAX = 2
/** Fields whose value lets somebody in, and how long such a value is at least. */
const SECRET = /^(?:apiKey|\w*[tT]oken|\w*[sS]ecret|recoveryCodes?|challenge|uri|invitation|code)$/
const SECRET_LENGTH_MIN = 16
const PASSWORD = /^(?:\w*Password|password)$/
const PASSWORD_LENGTH = 16
/** A token of a session looks like an address by chance. */
const SESSION_TOKEN = /^(?:access|refresh|challenge|csrf|lease)Token$/
const ADDRESS = /^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/
/** Codes of errors are named like one-time codes, and texts that a wallet signs like the challenges of passkeys. */
const PUBLIC = /^[A-Z]+(?:_[A-Z]+)*$|\s/
/** Servers of tests, which no reader has, and what a reader would write in their place. */
const TEST_HOST = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d{5}/
const HOSTS: Readonly<Record<string, string>> = {
  url: 'https://hooks.example',
  issuer: 'https://login.ours.example',
  callbackUrl: 'https://weir.example',
  applicationUrl: 'http://127.0.0.1:3000',
  kyb_url: 'http://127.0.0.1:3000',
}
/** What tests add to names to make them unique. */
const UNIQUE = /[ -][0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const [source] = process.argv.slice(2)
if (!source) throw new Error('usage: write-examples.ts ANSWERS')
const document = (await openApiDocument()) as Described
const best = new Map<string, Example>()
for (const line of readFileSync(source, 'utf8').split('\n')) {
  if (line === '') continue
  const { method, path, status, body, sent } = JSON.parse(line) as Answer
  const operation = document.paths[path]?.[method.toLowerCase()]
  const schema = schemaOf(operation?.responses[status])
  if (path === '/openapi.json' || !schema || !hasShape(document, schema, body)) continue
  const requestSchema = schemaOf(operation?.requestBody)
  if (requestSchema && (!isFilledObject(sent) || !hasShape(document, requestSchema, sent))) continue
  const key = `${method} ${path} ${status}`
  const example = { body: shortened(body), sent: requestSchema && shortened(sent) }
  const score = scoreOf(example.body) + (requestSchema ? scoreOf(example.sent, REQUEST_CHARACTERS_MAX) : 0)
  if (score > (best.get(key)?.score ?? Number.NEGATIVE_INFINITY)) best.set(key, { score, ...example })
}

const examples: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(FILE, 'utf8'))
// From the highest status to the lowest: the request is that of what succeeded at once, not of what waits for approval.
for (const [key, { body, sent }] of [...best].sort(([a], [b]) => (a < b ? 1 : -1))) {
  const [method, path, status] = key.split(' ') as [string, string, string]
  const name = `${method} ${path}`
  examples[name] = { ...examples[name], ...(sent === undefined ? {} : { request: sent }), [status]: body }
}
const lines = Object.entries(examples)
  .filter(([key]) => document.paths[key.split(' ')[1]!]?.[key.split(' ')[0]!.toLowerCase()])
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, answers]) => `${JSON.stringify(key)}: ${JSON.stringify(answers)}`)
writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${best.size} examples of ${lines.length} operations`)

function schemaOf(described: Content | undefined): object | undefined {
  return described?.content?.['application/json']?.schema
}

function isFilledObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** An answer or a request that says much in few words. */
function scoreOf(body: unknown, charactersMax = CHARACTERS_MAX): number {
  const text = JSON.stringify(body)
  return filled(body) - Math.max(0, text.length - charactersMax) / 20
}

/** How many fields have a value; those of a list's first entry count. */
function filled(value: unknown): number {
  if (value === null || value === '' || value === 0) return 0
  if (Array.isArray(value)) return value.length === 0 ? 0 : 1 + filled(value[0])
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, member) => sum + filled(member), 0)
}

/** Lists keep their first entries, secrets their first characters, and passwords none. */
function shortened(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((member) => shortened(member, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, name)]))
  if (typeof value !== 'string') return value
  const host = HOSTS[key]
  if (host !== undefined && TEST_HOST.test(value)) return value.replace(TEST_HOST, host)
  if (PASSWORD.test(key)) return 'x'.repeat(PASSWORD_LENGTH)
  const isSecret =
    SECRET.test(key) &&
    value.length >= SECRET_LENGTH_MIN &&
    !PUBLIC.test(value) &&
    (SESSION_TOKEN.test(key) || !ADDRESS.test(value))
  return isSecret ? value.slice(0, 8) + value.slice(8).replaceAll(/[A-Za-z0-9]/g, 'x') : value.replaceAll(UNIQUE, '')
}
