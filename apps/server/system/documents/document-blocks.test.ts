import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { EVENT_NAMES } from '../../src/webhooks/events/event-names.ts'
import { everyRoute } from '../../testing/surfaces/every-route.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const documents = globSync(
  ['README.md', 'SECURITY.md', 'docs/*.md', 'docs/runbooks/*.md', 'packages/sdk/README.md', 'examples/README.md'],
  { cwd: repository },
)
  .sort()
  .map((name) => ({ name, text: readFileSync(join(repository, name), 'utf8') }))

interface Block {
  readonly place: string
  readonly language: string
  readonly code: string
}

const blocks: Block[] = documents.flatMap(({ name, text }) =>
  [...text.matchAll(/^```(\w+).*\n([\s\S]*?)^```$/gm)].map(([, language = '', code = ''], index) => ({
    place: `${name}, block ${index + 1}`,
    language,
    code,
  })),
)
interface OpenApi {
  readonly paths: Record<string, Record<string, { readonly requestBody?: Body }>>
  readonly components: { readonly schemas: Record<string, { readonly properties?: object }> }
}
interface Body {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref?: string } } }
}
/** Variables of other programs, and of the documents' own scripts. */
const OTHERS = new Set([
  'WEBHOOK_SECRET',
  'WEIR_MCP_ALLOW_PLANS',
  'WEIR_SERVICE_ACCOUNT_SECRET',
  'WEIR_SERVICE_ACCOUNT_SECRET_FILE',
])
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))

test('every block of shell commands parses', () => {
  const shell = inLanguage('sh', 'bash')
  expect(shell.length).toBeGreaterThan(40)
  // One shell reads them all: each is the body of a function that is never called.
  const script = shell.map(({ code }, index) => `block${index}() {\n${code.trim() || ':'}\n:\n}`).join('\n')
  const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })
  const line = Number(/line (\d+)/.exec(stderr)?.[1] ?? 0)
  const opened =
    script
      .split('\n', line)
      .join('\n')
      .match(/^block\d+\(\)/gm)?.length ?? 0
  expect(status, `${shell[opened - 1]?.place}: ${stderr}`).toBe(0)
})

test('every block of JSON parses', () => {
  const broken = inLanguage('json').filter(({ code }) => {
    try {
      JSON.parse(code)
      return false
    } catch {
      return true
    }
  })
  expect(inLanguage('json').length).toBeGreaterThan(8)
  expect(broken.map(({ place }) => place)).toEqual([])
})

describe('what documents name of the interface', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
  let routes: ReadonlySet<string>
  let paths: OpenApi['paths']
  let schemas: OpenApi['components']['schemas']
  beforeAll(async () => {
    const { app } = await everyRoute()
    await app.ready()
    const document = app.swagger() as unknown as OpenApi
    paths = document.paths
    schemas = document.components.schemas
    ajv.addSchema(document, 'openapi')
    routes = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${normal(path)}`),
      ),
    )
    await app.close()
  }, 120_000)

  test('every path with its method exists', () => {
    const named = documents.flatMap(({ name, text }) => [
      ...[...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE)\s(\/(?:v1|api)\/[^\s`"',;)|]+)/g)].map(
        ([, method, path = '']) => ({ name, route: `${method} ${normal(path)}` }),
      ),
      ...[...text.matchAll(/curl (?:-\w+ )*(?:-X (\w+) )?"\$BASE(\/[^"\s]+)"((?:[^\n]*\\\n)*[^\n]*)/g)].map(
        ([, method, path = '', rest = '']) => ({
          name,
          route: `${method ?? (/\s-d\s/.test(rest) ? 'POST' : 'GET')} ${normal(path)}`,
        }),
      ),
    ])
    expect(named.length).toBeGreaterThan(150)
    const unknown = named.filter(({ route }) => !/\*|\.\.\.|\w\{\}/.test(route) && !routes.has(route))
    expect(unknown).toEqual([])
  })

  test('the schema of its route accepts every body of a request', () => {
    const bodies = inLanguage('sh', 'bash').flatMap(({ place, code }) =>
      // A variable of the shell leaves the quotes around a body.
      [
        ...code
          .replaceAll(/'"?\$\w+"?'/g, 'text')
          .matchAll(/curl (?:-\w+ )*(?:-X (\w+) )?"\$BASE(\/[^"\s?]+)"(?:[^\n]*\\\n)*?[^\n]* -d '([^']+)'/g),
      ].map(([, method = 'POST', path = '', body = '']) => ({ place, method: method.toLowerCase(), path, body })),
    )
    expect(bodies.length).toBeGreaterThan(15)
    const refused = bodies.flatMap(({ place, method, path, body }) => {
      const route = Object.keys(paths).find((one) => normal(one) === normal(path))!
      const { requestBody } = paths[route]![method]!
      const ref = requestBody!.content['application/json'].schema.$ref!.replace('#/components/schemas/', '')
      const sent = JSON.parse(body)
      const unknown = Object.keys(sent).filter((key) => !(key in (schemas[ref]!.properties ?? {})))
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${ref}` })
      return validate(sent) && unknown.length === 0 ? [] : [{ place, unknown, errors: ajv.errorsText(validate.errors) }]
    })
    expect(refused).toEqual([])
  })
})

test('every command of `weir` that a document names exists', () => {
  const known = [...textOf('docs/cli.md').matchAll(/^#+ `?weir ([a-z -]+)/gm)].map(([, command = '']) => command.trim())
  expect(known.length).toBeGreaterThan(20)
  const isKnown = (words: string) => known.some((command) => `${words} `.startsWith(`${command} `))
  const named = documents.flatMap(({ name, text }) =>
    [
      ...text.matchAll(
        /(?:`|^\s*|&& |docker exec weir node |-- node )(?:weir(?:\.mjs)?|npm run -s weir --) ([a-z][a-z -]*[a-z])/gm,
      ),
    ].map(([, words = '']) => ({ name, words })),
  )
  expect(named.length).toBeGreaterThan(50)
  // The first words of texts that people sign.
  const signed = ['approval', 'calls']
  expect(named.filter(({ words }) => !isKnown(words) && !signed.includes(words))).toEqual([])
})

test('every setting, code and state in capitals that a document names is a word of the code', () => {
  const sources = globSync(['{apps,packages}/*/src/**/*.ts', 'deploy/**/*.{yaml,Caddyfile}', 'deploy/proxies/*'], {
    cwd: repository,
    exclude: (name) => name.endsWith('.test.ts') || name.includes('node_modules'),
  })
  const known = new Set(sources.flatMap((name) => textOf(name).match(/[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]/g) ?? []))
  expect(known.size).toBeGreaterThan(300)
  const named = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])`/g)].map(([, word = '']) => ({ name, word })),
  )
  expect(named.length).toBeGreaterThan(300)
  expect(named.filter(({ word }) => !known.has(word) && !OTHERS.has(word))).toEqual([])
})

test('the page of events lists every event, and no other', () => {
  const [, table = ''] = /^## Which events are there\?\n([\s\S]*?)^## /m.exec(textOf('docs/events.md')) ?? []
  const listed: string[] = []
  for (const [, cell = ''] of table.matchAll(/^\| (`[^|]+) \|/gm)) {
    for (const [, name = ''] of cell.matchAll(/`([\w.*]+)`/g)) {
      const object = name.split('.')[0]!
      if (name.startsWith('.')) listed.push(listed.at(-1)!.split('.')[0] + name)
      else if (name.endsWith('.*')) listed.push(...listed.slice(-4).map((other) => `${object}.${other.split('.')[1]}`))
      else listed.push(name)
    }
  }
  expect(listed.toSorted()).toEqual([...EVENT_NAMES].sort())
})

test('every metric of the service that a document names is in the list of metrics', () => {
  const known = new Set([...textOf('docs/metrics.md').matchAll(/\bweir_\w+/g)].map(([name]) => name))
  const named = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/\bweir_\w+/g)].map(([metric]) => [name, metric]),
  )
  expect(named.length).toBeGreaterThan(50)
  // A histogram is queried by the names of its series.
  const metricOf = (series: string) => (known.has(series) ? series : series.replace(/_(?:bucket|count|sum)$/, ''))
  const unknown = named.filter(([, series = '']) => !known.has(metricOf(series)))
  expect(unknown.filter(([, series = '']) => !/^weir_(?:agent_|postgres$)/.test(series))).toEqual([])
})

test('every setting that a document sets exists', () => {
  const known = new Set(
    ['docs/settings.md', 'docs/agent-settings.md'].flatMap((name) =>
      [...textOf(name).matchAll(/^\| (`[A-Z0-9_]+`(?:, `[A-Z0-9_]+`)*) \|/gm)].flatMap(([, names = '']) =>
        names.replaceAll('`', '').split(', '),
      ),
    ),
  )
  const set = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:`|^|\s)([A-Z][A-Z0-9]*_[A-Z0-9_]+)=(?=[\w/'{$])/gm)].map(([, setting]) => [name, setting]),
  )
  expect(set.length).toBeGreaterThan(30)
  expect(set.filter(([, setting]) => !known.has(setting!) && !OTHERS.has(setting!))).toEqual([])
})

function textOf(name: string): string {
  return readFileSync(join(repository, name), 'utf8')
}

/** A path without its query, with `{}` for each parameter. */
function normal(path: string): string {
  return path
    .replace(/[?#[].*$/, '')
    .replace(/[.:]+$/, '')
    .replace(/:\w+|\{\w+\}|\$\{?\w+\}?|(?<=\/)\d+(?=\/|$)/g, '{}')
}
