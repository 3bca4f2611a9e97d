import type { PathIds } from '../access/path-ids.ts'
import type { RawRequest } from '../service/in-process-service.ts'

/** The request of a route, `GET /v1/wallets/{id}`, that names these ids. */
export function requestOf(route: string, naming: PathIds, headers: Readonly<Record<string, string>>): RawRequest {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(naming.path?.[name] ?? 'polygon'))
  const query = new URLSearchParams(
    Object.entries(naming.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const sendsBody = naming.body !== undefined
  return {
    method,
    path: query ? `${path}?${query}` : path,
    headers: { ...headers, ...(sendsBody && { 'content-type': 'application/json' }) },
    body: sendsBody ? JSON.stringify(naming.body) : undefined,
  }
}
