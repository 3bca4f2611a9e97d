import { exampleOf, type Schema } from './example-of.ts'

export interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema: Schema
}

/** A request of the collection, and where its file goes. */
export interface CollectionFile {
  readonly path: string
  readonly text: string
}

/** Writes one request for each operation of the OpenAPI document, a folder for each tag, and the sandbox's environment. */
export function collectionOf(document: Document): CollectionFile[] {
  const seen = new Map<string, number>()
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const folder = fileName(operation.tags[0]!)
      const seq = (seen.get(folder) ?? 0) + 1
      seen.set(folder, seq)
      return {
        path: `${folder}/${fileName(operation.summary)} (${operation.operationId}).bru`,
        text: requestText(document, { path, method, operation, seq }),
      }
    }),
  )
  return [
    { path: 'bruno.json', text: `${JSON.stringify({ version: '1', name: 'Weir', type: 'collection' }, null, 2)}\n` },
    { path: 'environments/Sandbox.bru', text: ENVIRONMENT },
    ...requests,
  ]
}

const ENVIRONMENT = `vars {
  baseUrl: http://127.0.0.1:3000
}
vars:secret [
  apiKey,
  accessToken
]
`

interface Request {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly seq: number
}

function requestText(document: Document, { path, method, operation, seq }: Request): string {
  const example = (schema: Schema) => exampleOf(schema, document.components.schemas)
  const parameters = operation.parameters ?? []
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const url = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  const needed = inQuery.filter(({ required }) => required)
  const query = needed.map(({ name, schema }) => `${name}=${example(schema)}`).join('&')
  const body = operation.requestBody?.content['application/json']
  // The document lists 500 everywhere; here it is a failure.
  const statuses = Object.keys(operation.responses).filter((status) => /^\d+$/.test(status) && status !== '500')
  const blocks = [
    block('meta', [`name: ${operation.summary}`, 'type: http', `seq: ${seq}`, ...tagsOf(operation)]),
    block(method, [`url: ${url}${query && `?${query}`}`, `body: ${body ? 'json' : 'none'}`, 'auth: none']),
    inQuery.length > 0 &&
      block(
        'params:query',
        inQuery.map(({ name, schema, required }) => `${required ? '' : '~'}${name}: ${example(schema)}`),
      ),
    inPath.length > 0 &&
      block(
        'params:path',
        inPath.map(({ name, schema }) => `${name}: ${example(schema)}`),
      ),
    block('headers', headersOf(operation, parameters)),
    body && block('body:json', JSON.stringify(example(body.schema), null, 2).split('\n')),
    block('tests', [
      'test("its status is one that the document lists", function () {',
      `  expect([${statuses.join(', ')}]).to.include(res.getStatus());`,
      '});',
    ]),
    operation.description && block('docs', operation.description.split('\n')),
  ]
  return blocks.filter(Boolean).join('\n')
}

/** Tagged, so that a run of the whole collection can leave out what would end its own access. */
export const ENDS_ACCESS = 'ends-access'
const ENDING = ['logOut', 'endSession', 'deleteOrganization', 'deleteApiKey', 'rotateApiKey']

const tagsOf = ({ operationId }: Operation): string[] =>
  ENDING.includes(operationId) ? ['tags: [', `  ${ENDS_ACCESS}`, ']'] : []

/** The token of a session where one will do, because some routes take only certain keys; else a key. */
function headersOf({ security = [] }: Operation, parameters: readonly Parameter[]): string[] {
  const takes = (name: string) => security.some((each) => name in each)
  const credential = takes('bearer')
    ? ['authorization: Bearer {{accessToken}}']
    : takes('apiKey')
      ? ['x-api-key: {{apiKey}}']
      : []
  const isIdempotent = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
  return [...credential, ...(isIdempotent ? ['idempotency-key: {{$guid}}'] : []), 'accept: application/json']
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}\n`
}

/** Letters, digits, spaces and a few signs that every file system takes. */
const fileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N} ,()’'-]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
