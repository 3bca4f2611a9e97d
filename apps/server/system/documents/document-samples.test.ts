// Samples that documents show, given to what reads or writes them: schemas of the interface, settings, options,
// PostgreSQL. Requests are sent in readme.test.ts.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { haproxyConfig } from '../../cluster/haproxy-config.ts'
import { readOptions as clusterOptions } from '../../cluster/options.ts'
import { readOptions as simulateOptions } from '../../simulate/options.ts'
import { readConfig } from '../../src/config.ts'
import { anchorLine, anchorText, digestOf, NO_ANCHOR } from '../../src/identity/anchors/anchor.ts'
import { prettyLine } from '../../src/kernel/pretty-line.ts'
import { parseVenuesFile } from '../../src/venues/index.ts'
import { type TestDatabase, testDatabase } from '../../testing/database/test-database.ts'
import { TEST_CERTIFICATE } from '../../testing/stand-ins/test-certificate.ts'
import { everyRoute } from '../../testing/surfaces/every-route.ts'
import { blockOf, blocksOf, pages, repository } from './documented-blocks.ts'

type Schema = Readonly<Record<string, unknown>>

const sample = (page: string, begins: string) => JSON.parse(blockOf(page, begins).code) as Schema

describe('JSON of the interface has the fields and types of its schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, allErrors: true })
  let document: Schema
  beforeAll(async () => {
    const { app } = await everyRoute()
    await app.ready()
    document = app.swagger() as unknown as Schema
    ajv.addSchema(document, 'openapi')
    await app.close()
  }, 120_000)

  const at = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce((schema, key) => schema[key.replaceAll('~1', '/')] as Schema, document)
  const wholeSchema = (pointer: string): unknown[] => {
    const schema = at(pointer)
    const others = [...JSON.stringify(schema).matchAll(/"\$ref":"#([^"]+)"/g)].flatMap(([, other = '']) =>
      wholeSchema(other),
    )
    return [schema, ...others]
  }
  interface Response {
    readonly path: string
    readonly method: string
    /** 200 unless it says otherwise. */
    readonly status?: number
    /** The sample is this part of the response; `data.entries.0` is an element of that list. All of it without. */
    readonly fields?: string
  }
  /** A JSON pointer to the schema of a response, through references. */
  const pointerTo = ({ path, method, status = 200, fields = '' }: Response) => {
    const resolved = (pointer: string): string => {
      const { $ref } = at(pointer) as { $ref?: string }
      return $ref === undefined ? pointer : resolved($ref.slice(1))
    }
    const response = resolved(`/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`)
    return fields
      .split('.')
      .filter(Boolean)
      .reduce(
        (pointer, field) => resolved(field === '0' ? `${pointer}/items` : `${pointer}/properties/${field}`),
        resolved(`${response}/content/application~1json/schema`),
      )
  }
  /** Names that the schema does not have, at any depth that it describes. */
  const unknownIn = (value: unknown, pointer: string): string[] => {
    const validate = ajv.compile({ $ref: `openapi#${pointer}`, unevaluatedProperties: false })
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    )
  }

  test.each<readonly [page: string, begins: string, response: Response]>([
    ['docs/api-keys.md', '{"keyId"', { method: 'get', path: '/api/core/apikeys/errors', fields: 'data.0' }],
    ['docs/api-keys.md', '{"id"', { method: 'get', path: '/api/core/apikeys/requests', fields: 'data.0' }],
    ['docs/approvals.md', '{"success"', { method: 'post', path: '/api/core/approval-policy/evaluate' }],
    ['docs/audit-log.md', '{"id"', { method: 'get', path: '/api/core/audit-log', fields: 'data.entries.0' }],
    ['docs/change-requests.md', '{"success"', { method: 'post', path: '/api/core/apikeys/generate', status: 202 }],
    ['docs/security-events.md', '{"id"', { method: 'get', path: '/api/core/security-events', fields: 'data.events.0' }],
    ['docs/sign-in.md', '{"code"', { method: 'get', path: '/api/core/audit-log', status: 403 }],
  ])('%s: %s', (page, begins, response) => {
    const shown = blockOf(page, begins).code.replaceAll(/[0-9a-f]+…/g, '0'.repeat(64))
    const wrong = unknownIn(JSON.parse(shown), pointerTo(response))
    // An error is shown without its message and id.
    expect(wrong.filter((line) => !(response.status === 403 && line.includes('required property')))).toEqual([])
  })

  test.each<readonly [page: string, begins: string, response: Response]>([
    ['docs/events.md', '{\n  "id"', { method: 'get', path: '/v1/events', fields: 'events.0' }],
    ['docs/sign-in.md', '{"success"', { method: 'post', path: '/api/core/auth/login' }],
  ])('%s: %s, without the fields that "..." stands for', (page, begins, response) => {
    const { code } = blockOf(page, begins)
    const names = [...code.matchAll(/"(\w+)":/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(5)
    const schema = JSON.stringify(wholeSchema(pointerTo(response)))
    expect(names.filter((name) => !schema.includes(`"${name}":`))).toEqual([])
  })

  test('docs/errors.md: an error of v1, and one of core', () => {
    const [v1 = '', core = ''] = blockOf('docs/errors.md', '// v1')
      .code.split(/^\/\/.*$/m)
      .filter((part) => part.trim())
    expect(unknownIn(JSON.parse(v1), '/components/schemas/V1Error')).toEqual([])
    expect(unknownIn(JSON.parse(core), '/components/schemas/CoreError')).toEqual([])
  })

  test('docs/situations.md: the settings of circuit breakers', () => {
    const body = (document.paths as Record<string, Record<string, { requestBody: Schema }>>)[
      '/api/core/circuit-breakers'
    ]!.put!.requestBody as { content: Record<string, { schema: { $ref: string } }> }
    const { $ref } = body.content['application/json']!.schema
    expect(unknownIn(sample('docs/situations.md', '{ "maxPriceFall"'), $ref.slice(1))).toEqual([])
  })
})

test('the request of docs/webhooks.md carries an event as the service writes it', () => {
  const [head = '', body = ''] = blockOf('docs/webhooks.md', 'POST /weir').code.split('\n\n')
  expect(head.match(/^webhook-\w+/gm)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  expect([...body.matchAll(/"(\w+)":/g)].map(([, name]) => name)).toEqual(['event', 'timestamp', 'data', 'operationId'])
  const stream = blockOf('docs/events.md', 'retry: ').code
  expect(stream.match(/^\w+(?=: )/gm)).toEqual(['retry', 'id', 'id', 'event', 'data'])
})

test('an anchor of docs/audit-log.md has the fields that the service writes, in their order', () => {
  const head = { organizationId: 1, entries: 17, hash: NO_ANCHOR }
  const text = anchorText({ id: 7, at: new Date(0), previous: NO_ANCHOR, heads: [head] })
  const written = JSON.parse(anchorLine(text, digestOf(text), Buffer.from('token'))) as Schema
  const shown = sample('docs/audit-log.md', '{"format"')
  expect(Object.keys(shown)).toEqual(Object.keys(written))
  expect(shown.format).toBe(written.format)
})

test('the log of docs/logs.md is the same line for people and for programs', () => {
  const [shown = ''] = blockOf('docs/logs.md', '09:41:07').code.split('\n')
  const printed = prettyLine(blockOf('docs/logs.md', '{"level"').code, false).trimEnd()
  // The zone is the machine's, and a value with a sign that is not ASCII is quoted.
  const text = (line: string) => line.replace(/^\d\d:\d\d:/, '').replaceAll(/["…]/g, '')
  expect(text(printed)).toBe(text(shown))
})

test('the service reads the file of docs/venues.md', () => {
  expect(parseVenuesFile(blockOf('docs/venues.md', '{').code)).toHaveLength(1)
})

test('the rehearsed HAProxy is that of docs/high-availability.md', () => {
  const shown = blockOf('docs/high-availability.md', 'defaults').code
  const rehearsed = haproxyConfig(5432, [])
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:server|bind) /.test(line))
  expect(rehearsed).toContain('listen postgres')
  expect(lines(rehearsed)).toEqual(['global', 'maxconn 500', ...lines(shown)])
})

test('the programs accept the options that documents give them', () => {
  const options = { simulate: simulateOptions, cluster: clusterOptions }
  const given = pages.flatMap(blocksOf).flatMap(({ page, code }) =>
    [...code.matchAll(/^npm run (simulate|cluster)(?: +-- ([^#\n]*))?/gm)].map(([, program, words = '']) => ({
      page,
      program: program as keyof typeof options,
      words: words.trim().split(' ').filter(Boolean),
    })),
  )
  expect(new Set(given.map(({ page }) => page))).toContain('docs/simulation.md')
  expect(given.length).toBeGreaterThan(8)
  for (const { page, program, words } of given)
    expect(() => options[program](words), `${page}: ${words.join(' ')}`).not.toThrow()
})

describe('the service accepts the settings', () => {
  const secret = createHash('sha256').update('of a test').digest('hex')
  /** What every live service needs besides. */
  const LIVE = {
    SERVICE_ENV: 'live',
    DATABASE_URL: 'postgres://weir:password@db1:5432/weir?sslmode=verify-full',
    ETHEREUM_RPC_URL: 'https://rpc.example/key',
    JWT_SECRET: secret,
    API_KEY_PEPPER: createHash('sha256').update('another').digest('hex'),
    ENCRYPTION_KEY: createHash('sha256').update('a third').digest('hex'),
    PUBLIC_URL: 'https://weir.example.com',
  }
  const folder = mkdtempSync(join(tmpdir(), 'weir-samples-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  /** What a page cannot print: secrets, keys and files. */
  const STAND_INS: Readonly<Record<string, string>> = {
    JWT_SECRET: LIVE.JWT_SECRET,
    API_KEY_PEPPER: LIVE.API_KEY_PEPPER,
    ENCRYPTION_KEY: LIVE.ENCRYPTION_KEY,
    BRIDGE_WEBHOOK_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    TLS_CERT_FILE: fileOf('fullchain.pem', TEST_CERTIFICATE.cert),
    TLS_KEY_FILE: fileOf('key.pem', TEST_CERTIFICATE.key),
  }

  test.each([
    ['docs/install.md', 'SERVICE_ENV=live'],
    ['docs/proxies.md', 'PUBLIC_URL='],
    ['docs/ramp-bridge.md', 'RAMP_PROVIDER='],
    ['docs/high-availability.md', 'DATABASE_URL='],
    ['docs/mail.md', 'SMTP_URL='],
    ['docs/operating.md', 'TLS_CERT_FILE='],
    ['docs/tracing.md', 'OTEL_EXPORTER'],
  ])('on %s: %s', (page, begins) => {
    const { code } = blockOf(page, begins)
    const shown = [...code.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=('[^']*'|\S+)/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll("'", '')] as const,
    )
    expect(shown.length).toBeGreaterThan(0)
    const settings = Object.fromEntries(shown.map(([name, value]) => [name, STAND_INS[name] ?? value]))
    const environment = /\bweir start$/m.test(code) ? settings : { ...LIVE, ...settings }
    expect(() => readConfig(environment)).not.toThrow()
  })
})

describe('PostgreSQL runs the statements', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database?.close())

  /** Runs statements one after another, and takes everything back: roles are of the server, not of the database. */
  async function run(statements: readonly string[]): Promise<void> {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      const { rowCount } = await client.query("select from pg_roles where rolname = 'weir'")
      if (rowCount === 0) await client.query('create role weir login')
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test.each([
    'docs/decisions/0153-distribution-by-organization.md',
    'docs/mail.md',
    'docs/operating.md',
    'docs/secrets.md',
  ])('on %s', async (page) => {
    const statements = blocksOf(page).filter(({ language }) => language === 'sql')
    expect(statements.length).toBeGreaterThan(0)
    await run(statements.map(({ code }) => code))
  })

  const inline = inlineStatements()
  test('that stand within sentences are found', () => {
    expect(inline.length).toBeGreaterThan(13)
    expect(inline.map(({ page }) => page)).toContain('docs/runbooks/no-worker.md')
  })

  test.each(inline)('$page: $statement', async ({ statement }) => {
    await run([statement.replace(/\b(?:KEY|ID|N)\b/g, '1')])
  })
})

/** SQL in backticks, on every page that an operator reads; one with an ellipsis describes a query. */
function inlineStatements(): { readonly page: string; readonly statement: string }[] {
  const begins = String.raw`(?:select\b[^\`]*\b(?:from|pg_)|update \w+ set|delete from|insert into|(?:alter|create|drop) (?:role|table|index|database) |grant \w)`
  const read = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'))
  return read.flatMap((page) =>
    [...readPage(page).matchAll(new RegExp(`\`(${begins}[^\`]*)\``, 'g'))]
      .map(([, statement = '']) => ({ page, statement: statement.replaceAll('\n', ' ') }))
      .filter(({ statement }) => !statement.includes('...')),
  )
}

/** A page without its fenced blocks. */
function readPage(page: string): string {
  return readFileSync(join(repository, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
}
