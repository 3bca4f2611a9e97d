import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Answer, recordExample } from '../../testing/surfaces/record-example.ts'

type Json = Record<string, unknown>

interface Operation {
  readonly requestBody?: { readonly content: Json }
  readonly responses: Readonly<Record<string, { content?: Json; headers?: Json }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly headers?: Readonly<Record<string, DeclaredHeader>> }
}
interface DeclaredHeader {
  readonly $ref?: string
  readonly required?: boolean
}

/** A raw response, not yet checked. */
export interface RawResponse {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body that was sent, if any. */
  readonly sent?: unknown
}

/** Checks every response of the service against its own `/openapi.json`. */
export interface Contract {
  readonly document: Document
  /** What is wrong with a response; empty: it keeps the contract. */
  breaches(raw: RawResponse): string[]
  /** What is wrong with a JSON body of an operation, which is named by its path in the document. */
  bodyBreaches(answer: Answer): string[]
  /** What is wrong with a JSON body that is sent to an operation. */
  requestBreaches(request: Pick<Answer, 'method' | 'path' | 'body'>): string[]
}

/** Codes of responses outside all routes, which no path of the document can declare. */
const WITHOUT_ROUTE: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 405: 'METHOD_NOT_ALLOWED' }

/** By document. The test files of a worker share its modules: compiling the schemas takes seconds. */
const known = new Map<string, Contract>()

export function createContract(document: Document): Contract {
  const { paths, components } = document
  const text = JSON.stringify({ paths, components })
  const contract = known.get(text) ?? compileContract(document)
  known.set(text, contract)
  return { ...contract, document }
}

function compileContract(document: Document): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(closed(document) as Json, 'weir')
  const templates = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: patternOf(path) }))
  const compiled = new Map<string, ValidateFunction>()

  /** A schema of the document by its path. */
  function schemaAt(...names: string[]): ValidateFunction {
    const pointer = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const earlier = compiled.get(pointer)
    if (earlier) return earlier
    const made = ajv.getSchema(`weir#/${pointer}`)
    if (!made) throw new Error(`the document has no schema at ${pointer}`)
    compiled.set(pointer, made)
    return made
  }

  /** `/v1/sandbox/networks` wins over `/v1/sandbox/{name}`: fewest placeholders first. */
  const templateOf = (path: string): string | undefined =>
    path in document.paths ? path : templates.find(({ pattern }) => pattern.test(path))?.path

  function judge(raw: RawResponse): string[] {
    const path = raw.path.split('?', 1)[0]!
    const template = templateOf(path)
    const method = raw.method.toLowerCase()
    const operation = template === undefined ? undefined : document.paths[template]?.[method]
    if (template === undefined || operation === undefined) return withoutRoute(raw, path, template)
    const declared = operation.responses[raw.status]
    if (!declared) return [`the status is not declared`]
    const problems = headerProblems(raw, declared.headers ?? {}, document.components.headers)
    const [type] = Object.keys(declared.content ?? {})
    if (type === undefined) return raw.text === '' ? problems : [...problems, 'a body is not declared']
    if (!raw.headers.get('content-type')?.startsWith(type)) problems.push(`the content type is not ${type}`)
    const value = type === 'application/json' ? parse(raw.text) : raw.text
    const sent = typeof raw.sent === 'string' ? parse(raw.sent) : undefined
    const answer = { method: raw.method, path: template, status: raw.status, body: value, sent }
    const breaches = [...problems, ...bodyBreaches(answer, type), ...errorBreaches(raw, value)]
    if (breaches.length === 0 && type === 'application/json') recordExample(answer)
    return breaches
  }

  function bodyBreaches({ method, path, status, body }: Answer, type = 'application/json'): string[] {
    const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
    return complaints(schemaAt(...place), body)
  }

  function requestBreaches({ method, path, body }: Pick<Answer, 'method' | 'path' | 'body'>): string[] {
    const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
    return complaints(schemaAt(...place), body)
  }

  function withoutRoute(raw: RawResponse, path: string, template: string | undefined): string[] {
    const value = parse(raw.text) as { code?: string }
    const shape = /^\/v1(\/|$)/.test(path) ? 'V1Error' : 'CoreError'
    const expected = template === undefined ? 404 : 405
    return [
      ...(raw.status === expected ? [] : [`the status should be ${expected}`]),
      ...(value?.code === WITHOUT_ROUTE[raw.status] ? [] : [`the code is ${value?.code}`]),
      ...complaints(schemaAt('components', 'schemas', shape), value),
      ...missing(raw, ['x-request-id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
      ...(raw.status === 405 ? missing(raw, ['Allow']) : []),
      ...errorBreaches(raw, value),
    ]
  }

  return { document, breaches: (raw) => judge(raw), bodyBreaches: (answer) => bodyBreaches(answer), requestBreaches }
}

/** An error repeats its request's id, and on v1 its status (contract 4). */
function errorBreaches(raw: RawResponse, value: unknown): string[] {
  if (raw.status < 400 || typeof value !== 'object' || value === null) return []
  const { requestId, statusCode } = value as { requestId?: unknown; statusCode?: unknown }
  const wrong: string[] = []
  if ('requestId' in value && requestId !== raw.headers.get('x-request-id')) wrong.push('requestId is not x-request-id')
  if (statusCode !== undefined && statusCode !== raw.status) wrong.push('statusCode is not the status')
  if (/\bat .+:\d+:\d+|node_modules|select .+ from |insert into/i.test(raw.text)) wrong.push('internals are exposed')
  return wrong
}

function missing(raw: RawResponse, names: readonly string[]): string[] {
  return names.filter((name) => !raw.headers.has(name)).map((name) => `the header ${name} is missing`)
}

/** Headers that a response has only where they are declared. */
const ONLY_WHERE_DECLARED = ['x-total-count', 'deprecation', 'idempotency-replayed', 'retry-after']

/** A response has every declared header, except those that are declared as optional, and declares those that it has. */
function headerProblems(raw: RawResponse, declared: Json, components: Document['components']['headers']): string[] {
  const entries = Object.entries(declared as Record<string, DeclaredHeader>).map(([name, header]) => {
    const { required } = header.$ref === undefined ? header : components![header.$ref.split('/').at(-1)!]!
    return { name, isRequired: required !== false }
  })
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  return [
    ...missing(
      raw,
      entries.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    ),
    ...ONLY_WHERE_DECLARED.filter((name) => raw.headers.has(name) && !names.has(name)).map(
      (name) => `the header ${name} is not declared`,
    ),
  ]
}

function complaints(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Unparsable text fails its schema as a string.
    return text
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** The document with all objects closed: a response has the declared fields and no other. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy: Json = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]))
  const isObject = copy.type === 'object' && typeof copy.properties === 'object'
  return isObject && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy
}
