import { CORE_NAMES } from '../../../../../packages/sdk/src/core-names.ts'
import { CORE_OPERATIONS } from '../../../../../packages/sdk/src/generated/core-operations.ts'
import { V1_OPERATIONS } from '../../../../../packages/sdk/src/generated/v1-operations.ts'
import { V1_NAMES } from '../../../../../packages/sdk/src/v1-names.ts'

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}
interface Row {
  readonly method: string
  readonly path: string
  readonly takes?: string
}

const SURFACES = [
  { client: 'weir.v1', names: V1_NAMES, rows: V1_OPERATIONS, credential: 'apiKey: process.env.WEIR_API_KEY!' },
  { client: 'weir.core', names: CORE_NAMES, rows: CORE_OPERATIONS, credential: 'accessToken: process.env.WEIR_TOKEN!' },
] as const

/** The request as a call of the client library; `undefined` if it has no method for it. */
export function asSdk({ method, path, body }: Request, baseUrl: string): string | undefined {
  const [pathname = '', query = ''] = path.split('?', 2)
  for (const { client, names, rows, credential } of SURFACES) {
    const found = Object.entries(rows as Readonly<Record<string, Row>>)
      // A path with a parameter also matches others; the one without comes first.
      .sort(([, a], [, b]) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
      .find(([, row]) => row.method === method && patternOf(row.path).test(pathname))
    if (found === undefined) continue
    const [operation, row] = found
    const name = nameOf(names, operation)
    if (name === undefined) continue
    const parameter = patternOf(row.path).exec(pathname)?.[1]
    const input = row.takes === 'query' ? queryOf(query) : row.takes === 'body' ? body : undefined
    const args = [
      ...(parameter === undefined ? [] : [/^\d+$/.test(parameter) ? parameter : `'${parameter}'`]),
      ...(input === undefined ? [] : [JSON.stringify(input, null, 2).replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')]),
    ]
    return [
      "import { Weir } from '@weir/sdk'",
      '',
      `const weir = new Weir({ baseUrl: '${baseUrl}', ${credential} })`,
      `const result = await ${client}.${name}(${args.join(', ')})`,
    ].join('\n')
  }
  return undefined
}

const patternOf = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)

/** `apiKeys.list` for the operation that it calls. */
function nameOf(names: object, operation: string): string | undefined {
  for (const [name, value] of Object.entries(names)) {
    if (value === operation) return name
    if (typeof value !== 'object') continue
    const inner = nameOf(value as object, operation)
    if (inner !== undefined) return `${name}.${inner}`
  }
  return undefined
}

function queryOf(query: string): Readonly<Record<string, string | number>> | undefined {
  const entries = [...new URLSearchParams(query)].map(
    ([name, value]) => [name, /^\d{1,15}$/.test(value) ? Number(value) : value] as const,
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
