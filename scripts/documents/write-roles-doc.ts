// Writes what each role may do into docs/members-and-sessions.md, from the authorization matrix that tests send to a
// service. The text around it is written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Access } from '../../apps/server/system/access/path-ids.ts'
import { ROUTES } from '../../apps/server/system/access/route-access.ts'
import { openApiDocument } from '../openapi/openapi-document.ts'
import { withParts } from './state-diagrams.ts'

const file = new URL('../../docs/members-and-sessions.md', import.meta.url)

interface Route {
  readonly chapter: string
  readonly summary: string
  readonly isRead: boolean
  readonly access: Access
}

/** What a role may do that the one above it may not. Roles read everything that is not named below them. */
const ROLES: readonly (readonly [role: string, access: readonly Access[]])[] = [
  ['viewer', ['everyone', 'readers']],
  ['approver', ['approvers']],
  ['admin', ['admins']],
  ['owner', ['owners']],
]

async function coreRoutes(): Promise<Route[]> {
  const { paths } = (await openApiDocument()) as {
    readonly paths: Record<string, Record<string, { readonly tags?: readonly string[]; readonly summary: string }>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { tags = [], summary }]): Route[] => {
      const route = ROUTES[`${method.toUpperCase()} ${path}`]
      if (route === undefined || !/^\/api\/(?:core|v1)\//.test(path)) return []
      return [{ chapter: tags[0] ?? '', summary, isRead: method === 'get', access: route.access }]
    }),
  )
}

/** A row for each chapter: a reader looks for the object first. */
function rows(role: string, routes: readonly Route[]): string[] {
  const chapters = [...new Set(routes.map(({ chapter }) => chapter))]
  return chapters.map((chapter) => {
    const of = routes.filter((route) => route.chapter === chapter).map(({ summary }) => lowerFirst(summary))
    return `| \`${role}\` | ${chapter} | ${of.join(', ')} |`
  })
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

async function rolesTable(): Promise<string> {
  const routes = await coreRoutes()
  const all = ROLES.flatMap(([role, access]) =>
    rows(
      role,
      routes.filter((route) => access.includes(route.access) && !(role === 'viewer' && route.isRead)),
    ),
  )
  const reads = '| `viewer` | everything | read what no row below names |'
  return ['| Least role | On | May |', '|---|---|---|', reads, ...all].join('\n')
}

/** The document with its generated part between the markers. */
export async function rolesDocument(current: string): Promise<string> {
  const table = await rolesTable()
  return withParts('docs/members-and-sessions.md', current, { 'rights of roles': () => table })
}

if (import.meta.main) writeFileSync(file, await rolesDocument(readFileSync(file, 'utf8')))
